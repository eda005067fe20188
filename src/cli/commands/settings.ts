import { readVariable, type Env } from '../../lib/base/env.ts'
import { printable, printableJson, redact } from '../../lib/base/printable.ts'
import { InvalidSettingsError, type SettingProblem } from '../../lib/errors.ts'
import { refuseOverrideReferences } from '../../lib/profile/resolve-cloud-profile.ts'
import { findUnknownVariables, settingRows } from '../../lib/variables.ts'
import { readSettings, type Settings } from '../../lib/settings/settings.ts'
import { VERSION } from '../../lib/settings/version.ts'
import { defineCommand, formatOption, exitCodes } from '../command.ts'
import { formatTable } from '../terminal.ts'

/** One setting in this environment. */
interface SettingView {
  readonly name: string
  /** `[redacted]` for a secret, `null` if the setting has no value. */
  readonly value: string | null
  /** `environment`, `default`, the source of a derived value, or `unset`. */
  readonly from: string
  readonly isSet: boolean
  readonly secret: boolean
  readonly meaning: string
  /** Why the value is not valid. */
  readonly problem?: string
}

export const command = defineCommand({
  description: `Prints the settings that are set: value, source and meaning. Secrets are redacted.`,
  options: { format: formatOption(['text', 'json']), all: { help: 'also print settings that are not set' } },
  notes: 'Exit code: 0 all values are valid, 2 a value is invalid or usage error.',
  async run({ values }, { env, width, print, note }) {
    let settings: Settings | undefined
    let problems: readonly SettingProblem[] = []
    try {
      settings = readSettings(env, [refuseOverrideReferences])
    } catch (error) {
      if (!(error instanceof InvalidSettingsError)) throw error
      problems = error.problems
    }
    const isShown = ({ isSet }: SettingView) => isSet || values.all || values.format === 'json'
    const views = readViews(env, settings, problems).filter(isShown)
    if (values.format === 'json') print(printableJson({ version: VERSION, settings: views }))
    else {
      const rows = views.map(({ name, value, from, meaning }) => [name, printable(value ?? ''), from, meaning])
      print(
        rows.length === 0
          ? 'No setting is set: --all prints every setting.\n'
          : formatTable(['Setting', 'Value', 'From', 'Meaning'], rows, width),
      )
    }
    for (const { message } of problems) note(printable(message))
    for (const { code, message } of findUnknownVariables(env)) note(`warning ${code}: ${printable(message)}`)
    return problems.length === 0 ? exitCodes.passed : exitCodes.usage
  },
})

function readViews(env: Env, settings: Settings | undefined, problems: readonly SettingProblem[]): SettingView[] {
  /** Values of unset settings that the service derives from its host. */
  const derived: Readonly<Record<string, readonly [value: string, from: string]>> | undefined = settings && {
    AUTH_MODE: [settings.authMode, settings.authModeFrom],
    SMOKE_TEST_SCHEDULE: [settings.smokeTestSchedule, `derived from ${settings.smokeTestScheduleFrom}`],
  }
  return settingRows.map(({ name, secret, meaning, default: usual, unset = 'unset' }) => {
    const text = readVariable(env, name)
    const plain = { name, secret, meaning: meaning.replaceAll('`', '') }
    if (text === undefined) {
      const [value, from] = derived?.[name] ?? (usual === undefined ? [null, unset] : [usual, 'default'])
      return { ...plain, value, from, isSet: false }
    }
    const problem = problems.find((each) => each.name === name)?.message
    const value = secret ? '[redacted]' : redact(text)
    return { ...plain, value, from: 'environment', isSet: true, ...(problem !== undefined && { problem }) }
  })
}
