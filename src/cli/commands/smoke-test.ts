import { printableJson } from '../../lib/base/printable.ts'
import type { SmokeTestRun } from '../../lib/diagnostics/report.ts'
import { builtInProfileNames } from '../../lib/clouds/known-clouds.ts'
import { readVariable } from '../../lib/base/env.ts'
import type { ExplainedProfile } from '../../lib/profile/explained-profile.ts'
import { explainProfile, type ResolveOptions } from '../../lib/profile/resolve-cloud-profile.ts'
import { isFipsMode } from '../../lib/settings/node-requirements.ts'
import { readSettings } from '../../lib/settings/settings.ts'
import {
  addedAuthorities,
  loadAuthorities,
  type AddedAuthorities,
} from '../../lib/transport/certificate-authorities.ts'
import { activeTarget, builtInTargets, runSmokeTest, type SmokeTestTarget } from '../../lib/service/run-smoke-test.ts'
import { expectFile, withoutCustomFile } from '../choose-profile.ts'
import { defineCommand, formatOption } from '../command.ts'
import { exitCodes } from '../exit.ts'
import { emitExitOnSignal } from '../stop-signal.ts'
import type { TextStyle } from '../smoke-test/format-text.ts'

type Format = (run: SmokeTestRun, style: TextStyle & { readonly trust: readonly AddedAuthorities[] }) => string

/** The library of a format is loaded only for this format. */
const formats: Readonly<Record<string, () => Promise<Format>>> = {
  text: async () => (await import('../smoke-test/format-text.ts')).formatText,
  json:
    async () =>
    (run, { trust }) =>
      printableJson({ ...run, fips: isFipsMode(), certificateAuthorities: trust }),
  junit: async () => (await import('../smoke-test/format-junit.ts')).formatJunit,
}

export const command = defineCommand({
  description: `Checks cloud profiles, and with --check-token the token for this environment.
Without --all, --cloud and --profile it checks the active profile.`,
  options: {
    all: { type: 'boolean', help: 'check the five built-in profiles' },
    cloud: {
      type: 'string',
      value: 'NAME',
      help: 'check a built-in profile, with the override variables applied',
      multiple: true,
      choices: builtInProfileNames,
    },
    profile: { type: 'string', value: 'FILE', help: 'check a custom profile file', multiple: true },
    'check-token': { type: 'boolean', help: 'also acquire a token with AUTH_MODE and its variables' },
    format: formatOption(Object.keys(formats)),
    strict: { type: 'boolean', help: 'fail on placeholders and other warnings' },
    verbose: { type: 'boolean', help: 'list every check' },
    'no-color': { type: 'boolean', help: 'no colors, as with NO_COLOR' },
  },
  notes: 'Exit code: 0 all passed, 1 a check failed, 2 usage or configuration error, 3 an internal error.',
  async run({ values }, terminal) {
    const { env, progress } = terminal
    const settings = readSettings(env)
    loadAuthorities(env)
    const checkToken = async (cloud: ExplainedProfile) => {
      const { probeToken } = await import('../smoke-test/probe-token.ts')
      emitExitOnSignal()
      return probeToken({ cloud, settings, env, progress })
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
    const targets = [...(values.all ? builtInTargets : []), ...named]
    // Default is the active profile, also for a token if only built-in profiles are named.
    if (targets.length === 0 || (values['check-token'] && named.length === 0)) {
      targets.push({ ...activeTarget(env), ...token })
    }
    // A wrong name or override is a configuration error, not the result of a check.
    for (const { options } of targets) if (!readsFile(options)) explainProfile(options)
    const run = await runSmokeTest({
      targets,
      strict: values.strict,
      onProgress: (done, total, label) => progress.show(`${done} of ${total} ${label}`),
    })
    progress.clear()
    const format = await formats[values.format]?.()
    if (format === undefined) throw new Error(`No format ${values.format}`)
    const colors = terminal.colors && !values['no-color']
    const trust = addedAuthorities(env)
    terminal.print(format(run, { colors, width: terminal.width, verbose: values.verbose, trust }))
    return run.status === 'fail' ? exitCodes.failed : exitCodes.passed
  },
})

function readsFile({ customProfilePath, env = {} }: ResolveOptions): boolean {
  return (customProfilePath ?? readVariable(env, 'CUSTOM_CLOUD_PROFILE_PATH')) !== undefined
}
