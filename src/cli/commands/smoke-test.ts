import { setTimeout as sleep } from 'node:timers/promises'
import { printableJson } from '../../lib/base/printable.ts'
import type { DiagnosticsReport, SmokeTestResult, SmokeTestRun } from '../../lib/diagnostics/report.ts'
import { builtInProfileNames } from '../../lib/clouds/known-clouds.ts'
import { readVariable } from '../../lib/base/env.ts'
import type { ExplainedProfile } from '../../lib/profile/explained-profile.ts'
import { explainProfile } from '../../lib/profile/resolve-cloud-profile.ts'
import { namedTenant } from '../../lib/settings/credential-values.ts'
import { isFipsMode } from '../../lib/settings/node-requirements.ts'
import { readSettings, type Settings } from '../../lib/settings/settings.ts'
import { authoritiesAtStart, type AddedAuthorities } from '../../lib/transport/certificate-authorities.ts'
import { activeTarget, builtInTargets, runSmokeTest, type SmokeTestTarget } from '../../lib/service/run-smoke-test.ts'
import { expectFile, refuseCloud, withoutCustomFile } from '../choose-profile.ts'
import { defineCommand, formatOption, exitCodes } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { explainFailures, formatJunit, formatText, type TextStyle } from '../smoke-test-formats.ts'

type Style = TextStyle & { readonly trust: () => readonly AddedAuthorities[] }

const formats = {
  text: formatText,
  json: (run, { trust }) => printableJson({ ...run, fips: isFipsMode(), certificateAuthorities: trust() }),
  junit: formatJunit,
} as const satisfies Readonly<Record<string, (run: SmokeTestRun, style: Style) => string>>

export const command = defineCommand({
  description: `Checks cloud profiles, and with --check-token the token for this environment.
Without --all, --cloud and --profile it checks the active profile.`,
  options: {
    all: { help: 'check the five built-in profiles' },
    cloud: {
      value: 'NAME',
      help: 'check a built-in profile, with the override variables applied',
      multiple: true,
      choices: builtInProfileNames,
      refuse: (name) => refuseCloud(name, builtInProfileNames),
    },
    profile: { value: 'FILE', help: 'check a custom profile file', multiple: true },
    'check-token': { help: 'also acquire a token with AUTH_MODE and its variables' },
    format: formatOption(['text', 'json', 'junit']),
    strict: { help: 'fail on placeholders and other warnings' },
    verbose: { help: 'list every check' },
  },
  notes: 'Exit code: 0 all passed, 1 a check failed, 2 usage or configuration error, 3 an internal error.',
  async run({ values }, terminal) {
    const { env, show, colors, width } = terminal
    const settings = readSettings(env)
    const checkToken = async (cloud: ExplainedProfile) => {
      // Only a run with a token needs them, and they load much of Node.
      const { emitExitOnSignal } = await import('../processes.ts')
      emitExitOnSignal()
      return probeToken(cloud, settings, terminal)
    }
    const token = values['check-token'] ? { checkToken } : {}
    const named: SmokeTestTarget[] = [
      ...values.cloud.map((name) => ({ label: name, options: { name, env: withoutCustomFile(env) }, ...token })),
      ...values.profile.map((path) => ({
        label: path,
        options: { customProfilePath: expectFile(path), env },
        ...token,
      })),
    ]
    // The active profile is the default. With --all it is checked too if a token is, because the built-in profiles get none.
    if (named.length === 0 && (!values.all || values['check-token'])) named.push({ ...activeTarget(env), ...token })
    const targets = [...(values.all ? builtInTargets : []), ...named]
    // A wrong name or override is a configuration error, not a failed check.
    for (const { options } of named) {
      const file = options.customProfilePath ?? readVariable(options.env ?? {}, 'CUSTOM_CLOUD_PROFILE_PATH')
      if (file === undefined) explainProfile(options)
    }
    const found = await runSmokeTest({
      targets,
      strict: values.strict,
      onProgress: (done, total, label) => show(`${done} of ${total} ${label}`),
    })
    const results = await explainFailures(found.results)
    // The active profile is last. If it is a built-in profile, its first result, without a token, is left out.
    const active = values.all && values['check-token'] ? results.at(-1)?.profile : undefined
    const isRepeated = ({ profile, status }: SmokeTestResult, index: number) =>
      profile === active && status !== 'fail' && index < results.length - 1
    const run = { ...found, results: results.filter((result, index) => !isRepeated(result, index)) }
    const { all: brief, verbose, format } = values
    terminal.printRaw(formats[format](run, { colors, width, brief, verbose, trust: () => authoritiesAtStart(env) }))
    return run.status === 'fail' ? exitCodes.failed : exitCodes.passed
  },
})

/** Requests a token as the service would. If a person has to sign in, prints the code and waits with a countdown. */
async function probeToken(
  explained: ExplainedProfile,
  settings: Settings,
  { env, show, note }: Terminal,
): Promise<DiagnosticsReport> {
  // Diagnostics and the credential library are large, and most runs don't need them.
  const [{ createDiagnostics }, { findWarnings }, { resolveProvider }] = await Promise.all([
    import('../../lib/diagnostics/diagnostics.ts'),
    import('../../lib/variables.ts'),
    import('../../lib/profile/identity-provider.ts'),
  ])
  const cloud = resolveProvider(explained, namedTenant(settings))
  const log = (event: unknown) => {
    // The results contain the outcome, so only the verbose lines of the credential library are printed.
    if (typeof event === 'string') note(event)
  }
  const warnings = await findWarnings(cloud, env, settings)
  const diagnostics = createDiagnostics({ cloud, warnings, settings, env, log, lastSmokeTest: () => undefined })
  show(`Requesting a token (${settings.authMode})`)
  let report = await diagnostics.report()
  let shown = ''
  while (report.status === 'pending' || report.token.status === 'pending') {
    const { signIn } = report.token
    if (signIn !== undefined && signIn.userCode !== shown)
      note(`To sign in, open ${signIn.verificationUri} and enter the code ${signIn.userCode}`)
    shown = signIn?.userCode ?? ''
    const left = Math.max(0, Math.round((Date.parse(signIn?.expiresOn ?? '') - Date.now()) / 1000))
    show(`Waiting for the sign-in, ${left} s left`)
    await sleep(1000)
    report = await diagnostics.report()
  }
  return report
}
