import { openSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { planCredential } from '../../lib/auth/credential-plan.ts'
import { exportedVariables } from '../../tools/export/export-env.ts'
import type { CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { dnsLabelPattern } from '../../lib/base/names.ts'
import { readCredentialSettings } from '../../lib/settings/settings.ts'
import type { Contact } from '../../tools/run/contacts.ts'
import { explainChosen, profileOptions } from '../choose-profile.ts'
import { defineCommand, formatOption, exitCodes, UsageError } from '../command.ts'
import { formatTable } from '../terminal.ts'

/** What a report cannot contain. */
const unseen = 'Not listed: connections that ignore HTTPS_PROXY; --isolate lists them'
const unseenIsolated =
  'Without a port: names that were looked up. Not listed: direct connections to an address at an unusual port'

const formats = ['text', 'json', 'egress'] as const

export const command = defineCommand({
  description:
    'Runs a program as if it knew the cloud of the profile: with the variables, the credential and the trusted certificates that SDKs and tools read, and a proxy on loopback that answers the public instance discovery.',
  notes: `The credential is that of AUTH_MODE. The exit code is that of the program: 128 and the number of the signal that ended it, 127 if it does not exist.`,
  options: {
    ...profileOptions,
    storage: { type: 'string', value: 'ACCOUNT', help: 'a storage account, for the variables that name one' },
    vault: { type: 'string', value: 'NAME', help: 'a key vault, for the variables that name one' },
    report: { type: 'boolean', help: 'print the hosts that the program contacted to stderr, after its end' },
    'report-file': { type: 'string', value: 'FILE', help: 'write that report to a file instead' },
    format: {
      ...formatOption(formats),
      help: 'format of the report, with --report implied for json and egress, which is an allow list for squid, Cilium and a NetworkPolicy',
    },
    strict: { type: 'boolean', help: 'exit with 1 if the program succeeded and contacted a host of another cloud' },
    'python-hook': {
      type: 'boolean',
      help: 'teach the cloud to Python programs that know clouds by name only: azure.azcollection, Cloud Custodian',
    },
    enclave: {
      type: 'boolean',
      help: 'play the cloud of the profile on loopback: its host names lead to an enclave, and nothing leaves this machine',
    },
    lenient: {
      type: 'boolean',
      help: 'with --enclave: accept the resource manager endpoint and https://storage.azure.com/ as audiences, which a private cloud refuses',
    },
    isolate: {
      type: 'boolean',
      help: 'run the program in a network namespace, so that connections past the proxy are refused and listed (Linux)',
    },
    block: { type: 'boolean', help: 'refuse every host that is not one of the profile' },
  },
  positionals: {
    name: '-- COMMAND [ARGUMENT…]',
    least: 1,
    most: Infinity,
    afterTerminator: true,
    message: 'Name the command after --',
  },
  async run({ values, positionals }, { env, note }) {
    const names = { storage: values.storage, vault: values.vault }
    for (const [option, name] of Object.entries(names)) expectName(option, name)
    const file = values['report-file']
    if (file !== undefined) expectWritable(file)
    const chosen = explainChosen(values, env).profile
    // Loaded late: the certificate library is slow to load, and the help does not need it.
    const { openCloud } = await import('../../tools/run/open-cloud.ts')
    const { run } = await import('../../tools/run/run.ts')
    const played = values.enclave ? await openCloud(chosen, env, values.lenient) : undefined
    const { profile, credentials } = played ?? { profile: chosen, credentials: {} }
    const settings = readCredentialSettings(played?.env ?? env)
    const plan = planCredential(profile, settings)
    const { code, contacts, foreign } = await run({
      command: positionals,
      profile,
      plan,
      env,
      pythonHook: values['python-hook'] ? await pythonHook(profile) : undefined,
      enclave: played?.enclave,
      variables: {
        ...chosenProfile(values),
        ...credentials,
        ...exportedVariables(profile, names),
        ...subscription(played?.env ?? env),
      },
      allowedHosts: settings.allowedTokenHosts,
      isBlocking: values.block,
      isolateBy: values.isolate ? [process.execPath, ...process.execArgv, process.argv[1] ?? ''] : undefined,
      onStartFailure: (reason) => note(`cloud-profile run: ${positionals[0] ?? ''}: ${reason}`),
    })
    if (file !== undefined || values.report || values.format !== 'text') {
      const report = await formatReport(contacts, values.format, values.isolate)
      if (file === undefined) note(report.trimEnd())
      else writeFileSync(file, report)
    } else {
      if (values.block)
        listHosts(
          'Refused',
          contacts.filter(({ allowed }) => !allowed),
          note,
        )
      else if (values.strict) listHosts('Contacted', foreign, note)
    }
    await played?.close()
    return values.strict && code === 0 && foreign.length > 0 ? exitCodes.failed : code
  },
})

async function pythonHook(profile: CloudProfile): Promise<string> {
  const { pythonSitecustomizeExport } = await import('../../tools/export/export-formats.ts')
  return pythonSitecustomizeExport.render(profile)
}

/** Programs that use this library choose the same profile. */
function chosenProfile({
  cloud,
  profile,
}: {
  readonly cloud: string | undefined
  readonly profile: string | undefined
}) {
  if (profile !== undefined) return { CUSTOM_CLOUD_PROFILE_PATH: resolve(profile) }
  return cloud === undefined ? {} : { PLATFORM_CLOUD: cloud, CUSTOM_CLOUD_PROFILE_PATH: '' }
}

function subscription(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const id = env['PLATFORM_SUBSCRIPTION_ID']
  return id === undefined || id === '' ? {} : { AZURE_SUBSCRIPTION_ID: id, ARM_SUBSCRIPTION_ID: id }
}

/** @throws {UsageError} for a text that could change a host name. */
function expectName(option: string, name: string | undefined): void {
  if (name === undefined || dnsLabelPattern.test(name)) return
  throw new UsageError(`--${option} needs the name of a resource, but is ${JSON.stringify(name)}`)
}

/** @throws {UsageError} before the program runs: its report must not be lost. */
function expectWritable(file: string): void {
  try {
    openSync(file, 'w')
  } catch (cause) {
    throw new UsageError(`--report-file must name a file that can be written, but is ${JSON.stringify(file)}`, {
      cause,
    })
  }
}

function listHosts(what: string, contacts: readonly Contact[], note: (line: string) => void): void {
  for (const { host, port, cloud, service } of contacts) {
    note(
      `${what}: ${port === null ? host : `${host}:${port}`} (${cloud === null ? 'no known cloud' : `${cloud}, ${service ?? ''}`})`,
    )
  }
}

async function formatReport(
  contacts: readonly Contact[],
  format: (typeof formats)[number],
  isIsolated: boolean,
): Promise<string> {
  const { addressOf, formatEgress, formatJson } = await import('../../tools/run/contacts.ts')
  if (format === 'json') return formatJson(contacts)
  if (format === 'egress') return formatEgress(contacts)
  const rows = contacts.map(({ host, port, cloud, service, allowed, count, firstAt }) => [
    addressOf(host, port),
    cloud ?? '-',
    service ?? '-',
    allowed ? 'yes' : 'no',
    String(count),
    firstAt,
  ])
  return `${formatTable(['Host', 'Cloud', 'Service', 'Allowed', 'Count', 'First'], rows)}${isIsolated ? unseenIsolated : unseen}\n`
}
