import type { Warning } from '../errors.ts'
import { readVariable, type Env } from '../base/env.ts'
import { quote } from '../base/printable.ts'
import { nearestName } from '../base/nearest-name.ts'
import { settingRows } from './setting-table.ts'

/** The longest name that is shown. */
const longest = 64

/**
 * Variables that start like ours but are not settings: most likely misspelled, so each gets the nearest name. Variables in another letter
 * case may belong to other tools, so they count only if they are near one of ours.
 */
export function findUnknownVariables(env: Env): Warning[] {
  const known = settingRows.map(({ name }) => name)
  return Object.keys(env)
    .filter((name) => /^platform_/i.test(name) && !known.includes(name) && readVariable(env, name) !== undefined)
    .sort()
    .flatMap((name) => {
      const nearest = nearestName(name.toUpperCase(), known)
      if (nearest === undefined && !name.startsWith('PLATFORM_')) return []
      const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`
      return {
        code: 'UNKNOWN_VARIABLE',
        message: `${quote(name.slice(0, longest))} is set, but is not a setting${hint}`,
      }
    })
}
