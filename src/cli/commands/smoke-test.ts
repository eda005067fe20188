import type { SmokeTestRun } from '../../lib/diagnostics/report.ts'
import { builtInProfileNames } from '../../lib/profile/built-in-profiles.ts'
import type { ExplainedProfile } from '../../lib/profile/explained-profile.ts'
import { readSettings } from '../../lib/settings/settings.ts'
import { activeTarget, builtInTargets, runSmokeTest, type SmokeTestTarget } from '../../lib/service/run-smoke-test.ts'
import { expectFile, withoutCustomFile } from '../choose-profile.ts'
import { defineCommand } from '../command.ts'
import { exitCodes } from '../exit.ts'
import { farewellOnSignal } from '../stop-signal.ts'
import type { TextStyle } from '../smoke-test/format-text.ts'

type Format = (run: SmokeTestRun, style: TextStyle) => string

/** Each format brings its library along only when it is asked for. */
const formats: Readonly<Record<string, () => Promise<Format>>> = {
  text: async () => (await import('../smoke-test/format-text.ts')).formatText,
  json: async () => (run) => `${JSON.stringify(run, undefined, 2)}\n`,
  junit: async () => (await import('../smoke-test/format-junit.ts')).formatJunit,
}

export const command = defineCommand({
  about: `Checks cloud profiles, and on request the token that this environment gets.
Without --all, --cloud and --profile, the profile this environment selects is checked.`,
  options: {
    all: { type: 'boolean', help: 'the five built-in profiles' },
    cloud: {
      type: 'string',
      value: 'NAME',
      help: 'one built-in profile, with the override variables applied',
      multiple: true,
      choices: builtInProfileNames,
    },
    profile: { type: 'string', value: 'FILE', help: 'one custom profile file', multiple: true },
    'check-token': { type: 'boolean', help: 'also ask for a token, with AUTH_MODE and its variables' },
    format: { type: 'string', value: 'FORMAT', help: 'how', default: 'text', choices: Object.keys(formats) },
    strict: { type: 'boolean', help: 'placeholders and other warnings fail' },
    verbose: { type: 'boolean', help: 'list every check' },
    'no-color': { type: 'boolean', help: 'no colours; NO_COLOR is honoured as well' },
  },
  notes: 'Exit code: 0 all passed, 1 a check failed, 2 wrong usage or configuration, 3 a fault of this program.',
  async run({ values }, terminal) {
    const { env, progress } = terminal
    const settings = readSettings(env)
    const checkToken = async (cloud: ExplainedProfile) => {
      const { probeToken } = await import('../smoke-test/probe-token.ts')
      farewellOnSignal()
      return probeToken({ cloud, settings, env, progress })
    }
    const token = values['check-token'] ? { checkToken } : {}
    const named: SmokeTestTarget[] = [
      ...values.cloud.map((name) => ({ label: name, options: { name, env: withoutCustomFile(env) }, ...token })),
      ...values.profile.map((path) => ({ label: path, options: { customProfilePath: expectFile(path) }, ...token })),
    ]
    const targets = [...(values.all ? builtInTargets : []), ...named]
    // Nothing was named to check, or nothing that a token could be asked for: then it is the profile in force.
    if (targets.length === 0 || (values['check-token'] && named.length === 0)) {
      targets.push({ ...activeTarget(env), ...token })
    }
    const run = await runSmokeTest({
      targets,
      strict: values.strict,
      onProgress: (done, total, label) => progress.show(`${done} of ${total} ${label}`),
    })
    progress.clear()
    const format = await formats[values.format]?.()
    if (format === undefined) throw new Error(`No format ${values.format}`)
    const colors = terminal.colors && !values['no-color']
    terminal.print(format(run, { colors, width: terminal.width, verbose: values.verbose }))
    return run.status === 'fail' ? exitCodes.failed : exitCodes.passed
  },
})
