import { exportGroups, type ExportFormat } from '../../src/tools/export/define-export.ts'
import { exportFormats } from '../../src/tools/export/export-formats.ts'
import { table } from './pages.ts'

const introduction = `# Exports

For engineers who use another tool. Generated from the table of exports. Do not edit; run \`npm run generate\`.

\`cloud-profile export FORMAT\` writes the active profile in the words of another tool. \`--cloud NAME\` or \`--profile FILE\` selects another one.
For one program on this machine, \`cloud-profile run -- COMMAND\` needs no export. No export contains a secret, and every value of the
profile is quoted for the language of the text. A script is refused while the profile contains placeholders.`

/** `docs/reference/exports.md`: every export with the facts about its reader. */
export function renderExports(): string {
  const sections = Object.entries(exportGroups).map(([group, title]) => {
    const formats = Object.values(exportFormats).filter((format) => format.group === group)
    return `## ${title}\n\n${table(['Format', 'Text', 'Add by hand', 'Read by, in a test'], formats.map(formatCells))}`
  })
  return `${[introduction, ...sections].join('\n\n')}\n`
}

const formatCells = ({ name, what, addByHand, reader }: ExportFormat): readonly string[] => [
  `\`${name}\``,
  what,
  addByHand,
  reader,
]
