import type { Warning } from '../errors.ts'
import { readVariable, type Env } from '../profile/overrides.ts'
import { quote } from '../profile/show-value.ts'
import { nearestName } from '../profile/nearest-name.ts'
import { settingRows } from './setting-table.ts'

/** The longest name that is shown. */
const longest = 64

/** Variables that start like ours and are none of ours: most likely misspelt, so each gets the nearest name. */
export function findUnknownVariables(env: Env): Warning[] {
  const known = settingRows.map(({ name }) => name)
  return Object.keys(env)
    .filter((name) => name.startsWith('PLATFORM_') && !known.includes(name) && readVariable(env, name) !== undefined)
    .sort()
    .map((name) => {
      const nearest = nearestName(name, known)
      const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`
      return { code: 'UNKNOWN_VARIABLE', message: `${quote(name.slice(0, longest))} is set, but is no setting${hint}` }
    })
}
