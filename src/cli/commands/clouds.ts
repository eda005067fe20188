import { printable, printableJson } from '../../lib/base/printable.ts'
import { textsOf } from '../../lib/base/json.ts'
import type { CloudFile } from '../../lib/clouds/cloud-profile.ts'
import { builtInClouds, builtInProfileNames, servicesOf } from '../../lib/clouds/known-clouds.ts'
import { ownersIn } from '../../lib/clouds/owner-of.ts'
import { cloudsOf, missingFields, renderClouds } from '../../lib/profile/profile-files.ts'
import { fileOf } from '../../lib/profile/resolve-cloud-profile.ts'
import { knownCloudsOption, packagedFile, refuseCloud } from '../choose-profile.ts'
import { defineCommand, formatOption, exitCodes, UsageError } from '../command.ts'
import { formatTable, wrap } from '../terminal.ts'

export const command = defineCommand({
  description:
    'Lists the known clouds: built-in ones, and a folder of profile files. With NAME it prints every value of one cloud. ' +
    'With --format hosts it prints hosts and DNS suffixes, one a line, as patterns for grep.',
  options: {
    cloud: { value: 'NAME', multiple: true, help: 'list this cloud only' },
    not: {
      value: 'NAME',
      multiple: true,
      help: 'with --format hosts, leave out the addresses, suffixes and audiences of this cloud',
    },
    ...knownCloudsOption,
    format: formatOption(['text', 'json', 'hosts']),
  },
  positionals: { name: '[NAME]', least: 0, most: 1, message: 'Name one cloud, or none' },
  notes:
    'Find the hosts of other clouds in the source of an application:\n' +
    '  cloud-profile clouds --format hosts --not platform-us-government | grep -rnFf - src\n' +
    'Exit code: 0 listed, 2 usage error.',
  run({ values, positionals }, { env, width, print }) {
    const all = [...new Set([...builtInClouds, ...cloudsOf(env, values['known-clouds'])])]
    const find = (name: string) => {
      const found = all.find((cloud) => cloud.name === name)
      if (found !== undefined) return found
      const names = all.map((cloud) => cloud.name)
      throw refuseCloud(name, names, (path) => `give the folder of ${path} with --known-clouds`)
    }
    const named = [...positionals, ...values.cloud].map(find)
    const clouds = named.length === 0 ? all : named
    const without = values.not.map(find)
    if (without.length > 0 && values.format !== 'hosts') throw new UsageError('--not needs --format hosts')
    if (values.format === 'json') print(printableJson(renderClouds(clouds)))
    else if (values.format === 'hosts') print(hostsOf(clouds, without).join(''))
    else if (named.length > 0) print(clouds.map((cloud) => describeCloud(cloud, width)).join('\n'))
    else print(listClouds(clouds, width))
    return Promise.resolve(exitCodes.passed)
  },
})

/** One line for each cloud. A narrow screen gets the host of the login authority, and not how to select the cloud. */
function listClouds(clouds: readonly CloudFile[], width: number): string {
  const head = ['Name', 'Cloud', 'Login authority', 'Selection']
  const rows = clouds.map((cloud) => {
    const { name, displayName, authorityHost = '' } = cloud
    return [name, displayName, authorityHost, selectionOf(cloud)].map(printable)
  })
  const lines = formatTable(head, rows)
  if (lines.split('\n').every((line) => line.length <= width)) return lines
  const hint = wrap('\n"clouds NAME" prints how to select a cloud.\n', width)
  return `${formatTable(head.slice(0, 3), clouds.map(shortRow), width)}${hint}`
}

function shortRow({ name, displayName, authorityHost = '' }: CloudFile): string[] {
  const host = authorityHost.replace(/^https:\/\/([^/]*)\/$/, '$1')
  const cells = [name, displayName.replace(/ cloud$/, ''), host.endsWith('.invalid') ? 'placeholder' : host]
  return cells.map(printable)
}

function selectionOf(cloud: CloudFile): string {
  if (builtInProfileNames.includes(cloud.name)) return `PLATFORM_CLOUD=${cloud.name}`
  const missing = missingFields(cloud)
  if (missing.length > 0) return `recognized only: ${missing.length} fields missing`
  return `CUSTOM_CLOUD_PROFILE_PATH=${fileOf(cloud, packagedFile) ?? 'FILE'}`
}

/** Every value of one cloud. */
function describeCloud(cloud: CloudFile, width: number): string {
  const { services: _services, notes: _notes, name, displayName, ...fields } = cloud
  const missing = missingFields(cloud)
  const absent = missing.length === 0 ? '' : `; no published value of ${missing.join(', ')}`
  const rows = textsOf(fields).flatMap(([path, value]) =>
    path === '$schema' ? [] : [[path, printable(value), '', '']],
  )
  const lead = wrap(`${printable(name)}: ${printable(displayName)} (${selectionOf(cloud)}${absent})`, width)
  const head = ['Field or service', 'Value or suffix', 'Audience', 'Port']
  return `${lead}\n${formatTable(head, [...rows, ...serviceRows(cloud)], width)}`
}

/** The services of a cloud or a profile: name, suffix or address, audience, port. */
export function serviceRows(cloud: Parameters<typeof servicesOf>[0]): string[][] {
  return Object.entries(servicesOf(cloud)).map(([service, { dnsSuffix, url, audience = '', port = '' }]) =>
    [service, dnsSuffix ?? url ?? '', audience, String(port)].map(printable),
  )
}

/**
 * The hosts and suffixes of `clouds` that `without` doesn't have, one a line. A cloud may list another cloud's login host as an issuer of
 * tokens. An application with this host still depends on the other cloud, so an issuer of `without` removes only issuers of `clouds`.
 */
function hostsOf(clouds: readonly CloudFile[], without: readonly CloudFile[]): string[] {
  const own = without.flatMap(addressesIn)
  const ownIssuers = new Set(without.flatMap(issuersIn))
  const hosts = [
    ...clouds.flatMap(addressesIn),
    ...clouds.flatMap(issuersIn).filter((host) => !ownIssuers.has(host)),
    // A pattern would also match each own host below it.
  ].filter((host) => !own.some((each) => each === host || each.endsWith(`.${host}`)))
  // `trafficmanager.net` would also match `usgovtrafficmanager.net`: a dot before it prevents that.
  const patterns = hosts.map((host) => (own.some((each) => each.includes(host)) ? `.${host}` : host))
  return [...new Set(patterns)].sort().map((pattern) => `${printable(pattern)}\n`)
}

const issuersIn = ({ aliases, name, displayName }: CloudFile): string[] => [
  ...ownersIn([{ name, displayName, aliases: { issuers: aliases?.issuers ?? [] } }]).keys(),
]

const addressesIn = (cloud: CloudFile): string[] => [
  ...ownersIn([{ ...cloud, aliases: { ...cloud.aliases, issuers: [] } }]).keys(),
]
