import { parseArgs } from 'node:util'
import type { SmokeTestRun } from '../lib/diagnostics/report.ts'
import { builtInProfileNames } from '../lib/profile/built-in-profiles.ts'
import type { ExplainedProfile } from '../lib/profile/explained-profile.ts'
import type { Env } from '../lib/profile/overrides.ts'
import { readSettings } from '../lib/settings/settings.ts'
import { activeTarget, builtInTargets, runSmokeTest, type SmokeTestTarget } from '../lib/service/smoke-test.ts'
import { exitCodes, runCommand, UsageError } from './run-command.ts'
import { createProgress } from './progress.ts'

const usage = `Usage: npm run smoke-test -- [options]

Checks cloud profiles, and on request the token that this environment gets.

  --all              the five built-in profiles
  --cloud NAME       one built-in profile, with the override variables applied (repeatable)
  --profile FILE     one custom profile file (repeatable)
  --check-token      also ask for a token, with AUTH_MODE and its variables
  --format FORMAT    text (default), json or junit
  --strict           placeholders and other warnings fail
  --no-color         no colours; NO_COLOR is honoured as well
  --help             this text

Without --all, --cloud and --profile, the profile this environment selects is checked.
Exit code: 0 all passed, 1 a check failed, 2 wrong usage or configuration, 3 a fault of this program.
`

type Format = (run: SmokeTestRun, colors: boolean) => string

/** Each format brings its library along only when it is asked for. */
const formats: Readonly<Record<string, () => Promise<Format>>> = {
  text: async () => (await import('./smoke-test/format-text.ts')).formatText,
  json: async () => (run) => `${JSON.stringify(run, undefined, 2)}\n`,
  junit: async () => (await import('./smoke-test/format-junit.ts')).formatJunit,
}

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      all: { type: 'boolean', default: false },
      cloud: { type: 'string', multiple: true, default: [] },
      profile: { type: 'string', multiple: true, default: [] },
      'check-token': { type: 'boolean', default: false },
      format: { type: 'string', default: 'text' },
      strict: { type: 'boolean', default: false },
      'no-color': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(usage)
    return exitCodes.passed
  }
  const format = Object.hasOwn(formats, values.format) ? formats[values.format] : undefined
  if (format === undefined) {
    throw new UsageError(
      `--format must be one of ${Object.keys(formats).join(', ')}, but is ${JSON.stringify(values.format)}`,
    )
  }
  const unknown = values.cloud.find((name) => !builtInProfileNames.includes(name))
  if (unknown !== undefined) {
    throw new UsageError(`--cloud must be one of ${builtInProfileNames.join(', ')}, but is ${JSON.stringify(unknown)}`)
  }
  if (values.profile.some((path) => path.trim() === '')) {
    // Blank, it would count as unset, and another profile would be checked.
    throw new UsageError('--profile must name a file, but is blank')
  }
  const settings = readSettings(process.env)
  const progress = createProgress(process.stderr)
  const checkToken = async (cloud: ExplainedProfile) => {
    const { probeToken } = await import('./smoke-test/probe-token.ts')
    return probeToken({ cloud, settings, env: process.env, progress })
  }
  const token = values['check-token'] ? { checkToken } : {}
  const named: SmokeTestTarget[] = [
    ...values.cloud.map((name) => ({ label: name, options: { name, env: withoutCustomFile(process.env) }, ...token })),
    ...values.profile.map((path) => ({ label: path, options: { customProfilePath: path }, ...token })),
  ]
  const targets = [...(values.all ? builtInTargets : []), ...named]
  // Nothing was named to check, or nothing that a token could be asked for: then it is the profile in force.
  if (targets.length === 0 || (values['check-token'] && named.length === 0)) {
    targets.push({ ...activeTarget(process.env), ...token })
  }
  const colors = !values['no-color'] && process.stdout.isTTY && !process.env['NO_COLOR']
  const run = await runSmokeTest({
    targets,
    strict: values.strict,
    onProgress: (done, total, label) => progress.show(`${done} of ${total} ${label}`),
  })
  progress.clear()
  process.stdout.write((await format())(run, colors))
  return run.status === 'fail' ? exitCodes.failed : exitCodes.passed
})

/** A name on the command line is meant; a custom file of the environment would win over it. */
function withoutCustomFile({ CUSTOM_CLOUD_PROFILE_PATH: _path, ...env }: Env): Env {
  return env
}
