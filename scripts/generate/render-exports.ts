import { exportGroups, type ExportFormat } from '../../src/lib/export/define-export.ts'
import { exportFormats } from '../../src/lib/export/export-formats.ts'
import { sdkDifferences, sdkLanguages, sdkMembers, type SdkMember } from '../../src/lib/export/sdk-modules.ts'
import { recipes } from '../../src/lib/export/recipes.ts'
import { impossibleTools } from '../../src/lib/export/recipes.ts'
import { clients } from '../../interop/clients.ts'
import { lastRuns, type RecordedRun } from '../../interop/document.ts'
import type { ModeResult } from '../../interop/run-mode.ts'
import results from '../../interop/results.json' with { type: 'json' }
import { table } from './pages.ts'

const introduction = `# Exports

For engineers who use another tool. Generated from the table of exports and from the last run of \`npm run interop\`. Do not edit; run \`npm run generate\`.

\`cloud-profile export FORMAT\` writes the active profile in the words of another tool. \`--cloud NAME\` or \`--profile FILE\` selects another one.
\`cloud-profile export recipe NAME\` writes a text for a tool that this project does not run. For one program on this machine,
\`cloud-profile run -- COMMAND\` needs no export. No export contains a secret, and every value of the profile is quoted for the language of the text. A script is refused while the profile
contains placeholders.

- *Last run*: the client, its version, and the modes that passed in [interop.md](../interop.md): with tenants (T), with a federation service (F). *Read, not
  run* names what was read in its place.
- *Add by hand*: what the text cannot contain.
- *Also looks up*: hosts besides those of the profile.
- The second line of each text says the same as *Last run*. A format without comments has no such line: only this page and the help say it.`

/** `docs/reference/exports.md`: every export with the facts about its client, and the tools that no export can help. */
export function renderExports(): string {
  const sections = Object.entries(exportGroups).flatMap(([group, title]) => {
    const formats = [...Object.values(exportFormats), ...Object.values(recipes)].filter(
      (format) => format.group === group,
    )
    return formats.length === 0 ? [] : [`## ${title}\n\n${table(formatHead, formats.map(formatCells))}`]
  })
  const impossible = impossibleTools.map(({ tool, why, instead }) => [tool, why, instead])
  return `${[
    introduction,
    ...sections,
    `## What the generated classes offer\n\n${table(sdkHead, sdkMembers.map(sdkCells))}\n\n${sdkDifferences.map((line) => `- ${line}`).join('\n')}`,
    `## Impossible\n\n${table(['Tool', 'Reason', 'Instead'], impossible)}`,
  ].join('\n\n')}\n`
}

const sdkHead = ['', ...sdkLanguages.map((language) => `\`${language}\``)]

function sdkCells(member: SdkMember): readonly string[] {
  return [member.offers, ...sdkLanguages.map((language) => `\`${member[language]}\``)]
}

const recordedRuns = lastRuns(clients, results as readonly ModeResult[])

const formatHead = ['Format', 'Text', 'Last run', 'Add by hand', 'Also looks up', 'Comments']

function formatCells(format: ExportFormat): readonly string[] {
  const runs = recordedRuns[format.name] ?? []
  return [
    `\`${format.name}\``,
    format.what,
    [...runs.map(describeRun), ...(format.read === undefined ? [] : [`read, not run: ${format.read}`])].join('<br>'),
    format.addByHand,
    lookupsOf(format, runs),
    format.comment === undefined ? 'no' : 'yes',
  ]
}

function describeRun({ client, version, modes }: RecordedRun): string {
  const passed = Object.entries(modes).map(
    ([mode, authorities]) =>
      `${mode} (${authorities.map((authority) => authority.charAt(0).toUpperCase()).join(', ')})`,
  )
  return `${client} ${version}: ${passed.join('; ')}`
}

function lookupsOf({ looksUp }: ExportFormat, runs: readonly RecordedRun[]): string {
  if (runs.length === 0) return looksUp ?? 'not measured'
  const hosts = [...new Set(runs.flatMap(({ lookups }) => lookups))].toSorted()
  return hosts.length === 0 ? 'nothing' : hosts.map((host) => `\`${host}\``).join(', ')
}
