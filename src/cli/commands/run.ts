import { resolve } from 'node:path'
import { planCredential } from '../../lib/auth/credential-plan.ts'
import { exportedVariables } from '../../tools/export/export-env.ts'
import { knownClouds } from '../../lib/clouds/known-clouds.ts'
import { fileOf } from '../../lib/profile/resolve-cloud-profile.ts'
import { isPlaceholder } from '../../lib/profile/field-path.ts'
import { ServiceError } from '../../lib/errors.ts'
import { printableJson } from '../../lib/base/printable.ts'
import { dnsLabelPattern } from '../../lib/base/names.ts'
import { readCredentialSettings } from '../../lib/settings/settings.ts'
import type { Contact } from '../../tools/run/contacts.ts'
import type { CloudOfRun } from '../../tools/run/open-cloud.ts'
import { explainChosen, packagedFile, profileOptions } from '../choose-profile.ts'
import { enclaveOptions, readSeedOptions, seedOptions } from '../open-enclave.ts'
import { defineCommand, exitOf, formatOption, exitCodes, UsageError } from '../command.ts'
import { formatTable } from '../terminal.ts'
import { expectWritable, writeNewFile } from '../write-new-file.ts'

/** The options that change the enclave. */
const enclaveOnly = { ...seedOptions, lenient: enclaveOptions.lenient }

export const command = defineCommand({
  description:
    'Runs a program in the cloud of the profile: with the variables, the credential and the trusted certificates that SDKs and tools read, and a proxy on loopback that responds to the public instance discovery.',
  notes: `AUTH_MODE selects the credential. The exit code is the program's, 128 plus the number of the signal that ended it, or 127 if the program does not exist.`,
  options: {
    ...profileOptions,
    storage: { value: 'ACCOUNT', help: 'storage account for variables such as AZURE_STORAGE_ACCOUNT' },
    vault: { value: 'NAME', help: 'key vault for variables such as AZURE_KEYVAULT_URL' },
    report: { help: 'after the program, print the hosts that it contacted to stderr' },
    'report-file': {
      value: 'FILE',
      help: 'write the report to a file instead; a file that ends with .json is JSON; repeatable',
      multiple: true,
    },
    format: { ...formatOption(['text', 'json']), help: 'format of every report; json implies --report' },
    strict: {
      help: 'exit with 1 if the program succeeded and contacted a host of another cloud or of a retired service',
    },
    enclave: {
      help: 'simulate the cloud of the profile on loopback: its host names lead to an enclave, and no request leaves this machine',
    },
    ...enclaveOnly,
    block: { help: 'refuse every host that the profile does not name' },
    allow: {
      value: 'HOST',
      help: 'a further host (host, host:port or .suffix) that --block lets pass and --strict accepts; with --enclave it stays unreachable',
      multiple: true,
    },
  },
  positionals: {
    name: '-- COMMAND [ARGUMENT…]',
    least: 1,
    most: Infinity,
    afterTerminator: true,
    message: 'Name the command after --',
  },
  async run({ values, positionals }, { env, note, stderrWidth }) {
    const names = { storage: values.storage, vault: values.vault }
    for (const [option, name = 'x'] of Object.entries(names))
      if (!dnsLabelPattern.test(name))
        throw new UsageError(`--${option} needs the name of a resource, but is ${JSON.stringify(name)}`)
    const files = values['report-file']
    for (const file of files) expectWritable(file, { force: true })
    const given = Object.keys(enclaveOnly) as (keyof typeof enclaveOnly)[]
    const unused = given.find((name) => [values[name] ?? []].flat().some(Boolean))
    if (unused !== undefined && !values.enclave) throw new UsageError(`--${unused} needs --enclave`)
    const chosen = explainChosen(values, env).profile
    if (!values.enclave && isPlaceholder(chosen.authorityHost)) {
      const message = `The authorityHost of ${chosen.name} is a placeholder: replace it, or give --enclave`
      throw new ServiceError('PLACEHOLDER_PROFILE', message)
    }
    const invalid = values.allow.find((host) => !hostPattern.test(host))
    if (invalid !== undefined)
      throw new UsageError(`--allow needs a host, host:port or .suffix, but is ${JSON.stringify(invalid)}`)
    // Loaded late: the certificate library is slow to load, and the help does not need it.
    const { withCloud } = await import('../../tools/run/open-cloud.ts')
    const { withLife } = await import('../../tools/run/life.ts')
    const { run } = await import('../../tools/run/run.ts')

    return withLife(async (life) => {
      const runIn = ({ profile, env: used, credentials, enclave }: CloudOfRun) => {
        const settings = readCredentialSettings(used)
        const subscription = used['PLATFORM_SUBSCRIPTION_ID']
        return run(life, {
          command: positionals,
          profile,
          plan: planCredential({ profile }, settings),
          env: used,
          enclave,
          variables: {
            ...chosenProfile(values),
            ...credentials,
            ...exportedVariables(profile, names),
            ...(subscription && { AZURE_SUBSCRIPTION_ID: subscription, ARM_SUBSCRIPTION_ID: subscription }),
          },
          allowedHosts: [...settings.allowedTokenHosts, ...values.allow.map((host) => host.toLowerCase())],
          isBlocking: values.block,
          onStartFailure: (reason) => note(`cloud-profile run: ${positionals[0] ?? ''}: ${reason}`),
        })
      }
      const options = { ...readSeedOptions(values), lenient: values.lenient, resources: names }
      const { code, contacts } = await (values.enclave
        ? withCloud(chosen, env, { ...options, folder: life.folder.path }, runIn)
        : runIn({ profile: chosen, credentials: {}, env }))
      const wrong = contacts.filter((contact) => contact.wrong)
      try {
        const report = (isJson: boolean, width: number) =>
          isJson ? printableJson({ hosts: contacts }) : formatReport(contacts, width)
        const isJson = values.format === 'json'
        for (const file of files)
          writeNewFile(file, report(isJson || file.endsWith('.json'), Infinity), { force: true })
        const refused = contacts.filter(({ outcome }) => outcome === 'refused')
        if (values.report || (isJson && files.length === 0)) note(report(isJson, stderrWidth).trimEnd())
        else if (values.block) listHosts('Refused', refused, note)
        else if (values.strict) listHosts('Contacted', wrong, note)
      } catch (error) {
        // The failure of the program matters more.
        if (code === 0) throw error
        note(exitOf(error).message)
      }
      return values.strict && code === 0 && wrong.length > 0 ? exitCodes.failed : code
    })
  },
})

/** Variables by which a program that uses this library resolves the same profile. */
function chosenProfile({ cloud, profile }: Readonly<Record<'cloud' | 'profile', string | undefined>>) {
  if (profile !== undefined) return { CUSTOM_CLOUD_PROFILE_PATH: resolve(profile) }
  if (cloud === undefined) return {}
  const file = fileOf(
    knownClouds.find(({ name }) => name === cloud),
    packagedFile,
  )
  return file === undefined
    ? { PLATFORM_CLOUD: cloud, CUSTOM_CLOUD_PROFILE_PATH: '' }
    : { CUSTOM_CLOUD_PROFILE_PATH: resolve(file) }
}

const hostPattern = /^(?:\.?[a-z\d](?:[a-z\d._-]*[a-z\d])?|[a-z\d._-]+:\d{1,5}|[\da-f:.]+|\[[\da-f:.]+\]:\d{1,5})$/i

function listHosts(what: string, contacts: readonly Contact[], note: (line: string) => void): void {
  for (const { host, port, cloud, service, instead } of contacts) {
    const owner = cloud === null ? 'no known cloud' : `${cloud}, ${service ?? ''}`
    note(`${what}: ${host}:${port} (${owner})${instead === undefined ? '' : `. ${instead}`}`)
  }
}

function formatReport(contacts: readonly Contact[], width: number): string {
  const rows = contacts.map(({ host, port, cloud, service, allowed, retired, outcome, instead, count }) => [
    `${host}:${port}`,
    cloud ?? '-',
    service ?? '-',
    retired ? 'retired' : allowed ? 'yes' : 'no',
    outcome,
    instead ?? '-',
    String(count),
  ])
  const columns = ['Host', 'Cloud', 'Service', 'Allowed', 'Outcome', 'Instead', 'Count']
  return `${formatTable(columns, rows, width)}Not listed: connections that ignore HTTPS_PROXY\n`
}
