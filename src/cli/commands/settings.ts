import { applyLocalSettings } from '../../emulator/app-files.ts'
import { readVariable, type Env } from '../../lib/base/env.ts'
import { printable, printableJson, redact } from '../../lib/base/printable.ts'
import { isServiceError } from '../../lib/errors.ts'
import { refuseOverrideReferences } from '../../lib/profile/resolve-cloud-profile.ts'
import { readSetting } from '../../lib/settings/setting.ts'
import { findUnknownVariables, settingRows } from '../../lib/variables.ts'
import { readSettings, type Settings } from '../../lib/settings/settings.ts'
import { VERSION } from '../../lib/settings/version.ts'
import { appDirectory, isPackaged } from '../app-directory.ts'
import { defineCommand, formatOption, exitCodes } from '../command.ts'
import { formatTable } from '../terminal.ts'

/** One setting as it is now. */
interface SettingView {
  readonly name: string
  /** `[redacted]` for a secret, `null` for none. */
  readonly value: string | null
  /** `environment`, `local.settings.json`, `default`, how the value is derived, or `unset`. */
  readonly from: string
  readonly isSet: boolean
  readonly secret: boolean
  readonly meaning: string
  /** Why the value is not valid. */
  readonly problem?: string
}

export const command = defineCommand({
  description: `Prints every setting of the service: its value, its source, and its meaning. Secrets are redacted.
The format env is a template for a file of variables.`,
  options: {
    format: formatOption(['text', 'json', 'env']),
    set: { type: 'boolean', help: 'only settings that are set' },
  },
  notes: 'Exit code: 0 all values are valid, 2 a value is not valid or usage error.',
  async run({ values }, { env, width, print, note }) {
    const complete = { ...env }
    const local = isPackaged ? [] : applyLocalSettings(appDirectory, complete).applied
    const settings = valueOrProblem(() => readSettings(complete, [refuseOverrideReferences]))
    const views = readViews(complete, new Set(local), settings).filter(({ isSet }) => isSet || !values.set)
    if (values.format === 'json') print(printableJson({ version: VERSION, settings: views }))
    else print(values.format === 'env' ? formatEnv(views) : formatText(views, width))
    // Conflicts between settings, such as a secret with two sources.
    const together = typeof settings === 'string' ? settings.split('\n') : []
    const problems = [...new Set([...views.flatMap(({ problem }) => problem ?? []), ...together])]
    for (const problem of problems) note(printable(problem))
    for (const { code, message } of findUnknownVariables(complete)) note(`warning ${code}: ${printable(message)}`)
    return problems.length === 0 ? exitCodes.passed : exitCodes.usage
  },
})

function readViews(env: Env, local: ReadonlySet<string>, settings: Settings | string): SettingView[] {
  const derived = derivedValues(settings)
  return settingRows.map((row) => {
    const { name, secret, meaning, unset } = row
    const text = readVariable(env, name)
    const plain = { name, secret, meaning: meaning.replaceAll('`', '') }
    if (text === undefined) {
      const [value, from] =
        derived[name] ?? (row.default === undefined ? [null, unset ?? 'unset'] : [row.default, 'default'])
      return { ...plain, value, from, isSet: false }
    }
    const read = valueOrProblem(() => ({ value: readSetting(env, row) }))
    const value = secret ? '[redacted]' : redact(text)
    const from = local.has(name) ? 'local.settings.json' : 'environment'
    return { ...plain, value, from, isSet: true, ...(typeof read === 'string' ? { problem: read } : {}) }
  })
}

/** Values that the service derives from its host for unset settings. Empty while another setting is not valid. */
function derivedValues(settings: Settings | string): Readonly<Record<string, readonly [string, string]>> {
  if (typeof settings === 'string') return {}
  const { authMode, authModeFrom, smokeTestSchedule, smokeTestScheduleFrom } = settings
  return {
    AUTH_MODE: [authMode, authModeFrom],
    SMOKE_TEST_SCHEDULE: [smokeTestSchedule, `derived from ${smokeTestScheduleFrom}`],
  }
}

function valueOrProblem<T extends object>(read: () => T): T | string {
  try {
    return read()
  } catch (error) {
    if (!isServiceError(error)) throw error
    return error.message
  }
}

function formatText(views: readonly SettingView[], width: number): string {
  const rows = views.map(({ name, value, from, meaning }) => [name, printable(value ?? ''), from, meaning])
  return formatTable(['Setting', 'Value', 'From', 'Meaning'], rows, width)
}

/** Lines for a file of variables. A secret, or a value of more than one line, is named only. */
function formatEnv(views: readonly SettingView[]): string {
  const lines = views.map(({ name, value, isSet, secret, meaning }) => {
    if (isSet && (secret || value !== printable(value ?? ''))) return `# ${name} is set and not shown`
    return isSet ? `${name}=${value}` : `# ${name}=${value ?? ''}  ${meaning}`
  })
  return lines.map((line) => `${line}\n`).join('')
}
