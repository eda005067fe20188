import { printable, printableJson } from '../../lib/base/printable.ts'
import { textsOf } from '../../lib/base/json.ts'
import type { CloudFile } from '../../lib/clouds/cloud-profile.ts'
import { servicesOf } from '../../lib/clouds/known-clouds.ts'
import { cloudsOf, missingFields, renderClouds, selectableNames } from '../../lib/profile/profile-files.ts'
import { knownCloudsOption } from '../choose-profile.ts'
import { choose, defineCommand, formatOption, exitCodes } from '../command.ts'
import { formatTable, wrap } from '../terminal.ts'

export const command = defineCommand({
  description:
    'Lists the clouds whose values are known: the built-in ones, and those of a folder of profile files. With NAME it prints ' +
    'every value of one cloud.',
  options: { ...knownCloudsOption, format: formatOption(['text', 'json']) },
  positionals: { name: '[NAME]', least: 0, most: 1, message: 'Name one cloud, or none' },
  notes: 'Exit code: 0 listed, 2 usage error.',
  async run({ values, positionals: [name] }, { env, width, print }) {
    const all = cloudsOf(env, values['known-clouds'])
    if (name !== undefined) choose('cloud', name, Object.fromEntries(all.map((cloud) => [cloud.name, cloud])))
    const clouds = all.filter((cloud) => name === undefined || cloud.name === name)
    if (values.format === 'json') print(printableJson(renderClouds(clouds)))
    else print(clouds.map((cloud) => describeCloud(cloud, width)).join('\n'))
    return exitCodes.passed
  },
})

function describeCloud(cloud: CloudFile, width: number): string {
  const { services: _services, notes: _notes, name, displayName, ...fields } = cloud
  const missing = missingFields(cloud)
  const selection = selectableNames().includes(name)
    ? `PLATFORM_CLOUD=${name}`
    : missing.length === 0
      ? 'a profile file'
      : `recognized only: no published value of ${missing.join(', ')}`
  const rows = textsOf(fields).flatMap(([path, value]) =>
    path === '$schema' ? [] : [[path, printable(value), '', '']],
  )
  const lead = wrap(`${printable(name)}: ${printable(displayName)} (${selection})`, width)
  const head = ['Field or service', 'Value or suffix', 'Audience', 'Port']
  return `${lead}\n${formatTable(head, [...rows, ...serviceRows(cloud)], width)}`
}

/** The services of a cloud or a profile: name, suffix or address, audience, port. */
export function serviceRows(cloud: Parameters<typeof servicesOf>[0]): string[][] {
  return Object.entries(servicesOf(cloud)).map(([service, { dnsSuffix, url, audience = '', port = '' }]) =>
    [service, dnsSuffix ?? url ?? '', audience, port].map((each) => printable(String(each))),
  )
}
