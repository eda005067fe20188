import { VERSION } from '../../src/lib/settings/version.ts'
import { settingRows } from '../../src/lib/variables.ts'

/** Every setting, for templates and approvals. */
export function renderSettingsJson(): string {
  const settings = settingRows.map(({ name, meaning, type, choices, rule, default: fallback, unset, secret }) => ({
    name,
    meaning: meaning.replaceAll('`', ''),
    type,
    ...(choices === undefined ? {} : { choices }),
    rule,
    default: fallback ?? null,
    ...(unset === undefined ? {} : { unset }),
    secret,
  }))
  return `${JSON.stringify({ version: VERSION, settings }, undefined, 2)}\n`
}
