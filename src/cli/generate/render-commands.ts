import { readdir } from 'node:fs/promises'
import { formatHelp, type Command } from '../command.ts'
import { wrap } from '../text.ts'

const introduction = `# Commands

Generated from the help of each command by \`npm run generate\`.

The package of a release installs the command \`cloud-profile\`. In a checkout, \`npm run profile -- COMMAND\` runs the same commands.
Results go to stdout and everything else to stderr.`

/** Every command with its help, as one Markdown page. */
export async function renderCommands(): Promise<string> {
  // The command table loads this file, so the commands come from their folder: an import of the table would be a cycle.
  const folder = new URL('../commands/', import.meta.url)
  const files = (await readdir(folder)).toSorted()
  const sections = files.map(async (file) => {
    const { command } = (await import(new URL(file, folder).href)) as { readonly command: Command }
    const name = file.replace(/\.ts$/, '')
    return `## ${name}\n\n\`\`\`\n${wrap(formatHelp(command, `cloud-profile ${name}`), 100).trimEnd()}\n\`\`\``
  })
  return `${[introduction, ...(await Promise.all(sections))].join('\n\n')}\n`
}
