import { formatHelp } from '../../src/cli/command.ts'
import { packagedCommands } from '../../src/cli/command-line.ts'
import { wrap } from '../../src/cli/text.ts'

const introduction = `# Commands

For operators and pipelines. Generated from the help of each command by \`npm run generate\`.

The package of a release installs the command \`cloud-profile\`. In a checkout, \`npm run profile -- COMMAND\` runs the same commands.
Results go to stdout and everything else to stderr.`

/** Every command of the package with its help, as one Markdown page. */
export async function renderCommands(): Promise<string> {
  const sections = Object.entries(packagedCommands).map(async ([name, { load }]) => {
    const { command } = await load()
    return `## ${name}\n\n\`\`\`\n${wrap(formatHelp(command, `cloud-profile ${name}`), 100).trimEnd()}\n\`\`\``
  })
  return `${[introduction, ...(await Promise.all(sections))].join('\n\n')}\n`
}
