import { refuseOldNode } from '../lib/settings/node-version.ts'
import { VERSION } from '../lib/settings/version.ts'
import { choose, execute } from './command.ts'
import { commands } from './commands.ts'
import { exitCodes, type ExitCode } from './exit.ts'
import { isPackaged } from './is-packaged.ts'
import { readableWidth, type Terminal } from './terminal.ts'
import { wrap } from './text.ts'

/** Runs one command of the table: the first word names it, and the others are its arguments. */
export async function runCommandLine(
  [name, ...args]: readonly string[],
  terminal: Terminal,
): Promise<ExitCode | undefined> {
  refuseOldNode()
  if (name === undefined) {
    terminal.note(usage().trimEnd())
    return exitCodes.usage
  }
  if (['--help', '-h', 'help'].includes(name)) {
    const [about] = args
    if (name === 'help' && about !== undefined) return runCommandLine([about, '--help'], terminal)
    terminal.print(wrap(usage(), readableWidth(terminal)))
    return exitCodes.passed
  }
  if (name === '--version') {
    terminal.print(`${VERSION}\n`)
    return exitCodes.passed
  }
  const { load } = choose('command', name, commands)
  const { command } = await load()
  return execute(command, args, terminal, called(name))
}

/** How a person calls the command here. */
function called(name: string): string {
  if (isPackaged) return `cloud-profile ${name}`
  return commands[name]?.script === true ? `npm run ${name} --` : `npm run profile -- ${name}`
}

function usage(): string {
  const names = Object.keys(commands)
  const width = Math.max(...names.map((name) => name.length))
  const list = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}\n`)
  return `Usage: ${isPackaged ? 'cloud-profile' : 'npm run profile --'} COMMAND [options]

${list.join('')}
Each command has --help; --version prints the version. Results go to stdout and everything else to stderr${
    isPackaged ? '' : '; use npm run --silent to redirect them'
  }.
`
}
