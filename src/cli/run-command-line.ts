import { refuseOldNode } from '../lib/settings/node-requirements.ts'
import { VERSION } from '../lib/settings/version.ts'
import { choose, execute } from './command.ts'
import { commands, type CommandRow } from './commands.ts'
import { exitCodes } from './exit.ts'
import { isPackaged } from './is-packaged.ts'
import { readableWidth, type Terminal } from './terminal.ts'
import { wrap } from './text.ts'

/** What a person calls: the table of commands, and how they are called here. */
export interface CommandLine {
  readonly program: string
  readonly rows: Readonly<Record<string, CommandRow>>
  readonly called: (name: string) => string
}

const cloudProfile: CommandLine = {
  program: isPackaged ? 'cloud-profile' : 'npm run profile --',
  rows: commands,
  called: (name) =>
    isPackaged
      ? `cloud-profile ${name}`
      : commands[name]?.script === true
        ? `npm run ${name} --`
        : `npm run profile -- ${name}`,
}

/** Runs one command of the table: the first word names it, and the others are its arguments. */
export async function runCommandLine(
  [name, ...args]: readonly string[],
  terminal: Terminal,
  line: CommandLine = cloudProfile,
): Promise<number | undefined> {
  refuseOldNode()
  if (name === undefined) {
    terminal.note(usage(line).trimEnd())
    return exitCodes.usage
  }
  if (['--help', '-h', 'help'].includes(name)) {
    const [about] = args
    if (name === 'help' && about !== undefined) return runCommandLine([about, '--help'], terminal, line)
    terminal.print(wrap(usage(line), readableWidth(terminal)))
    return exitCodes.passed
  }
  if (name === '--version') {
    terminal.print(`${VERSION}\n`)
    return exitCodes.passed
  }
  // Started by `run --isolate`, and in no help.
  const { load } =
    name === 'run-inside' ? { load: () => import('./run-inside.ts') } : choose('command', name, line.rows)
  const { command } = await load()
  return execute(command, args, terminal, line.called(name))
}

function usage({ program, rows }: CommandLine): string {
  const names = Object.keys(rows)
  const width = Math.max(...names.map((name) => name.length))
  const list = Object.entries(rows).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}\n`)
  return `Usage: ${program} COMMAND [options]

${list.join('')}
Each command has --help; --version prints the version. Results go to stdout and everything else to stderr${
    isPackaged ? '' : '; use npm run --silent to redirect them'
  }.
`
}
