import { refuseOldNode } from '../lib/settings/node-requirements.ts'
import { VERSION } from '../lib/settings/version.ts'
import { isPackaged } from './app-directory.ts'
import { choose, execute, type Command, exitCodes } from './command.ts'
import { readableWidth, type Terminal, formatRows, wrap } from './terminal.ts'

// The command line of the package and of the npm scripts. Only this folder reads arguments, prints results and sets the exit code: lib, tools
// and server do the work.

/** A command. Its file is loaded when the command runs. */
export interface CommandRow {
  readonly summary: string
  /** Arguments of example calls, for the help. */
  readonly examples?: readonly [string, string]
  /** Whether `npm run NAME` is this command. */
  readonly script?: true
  readonly load: () => Promise<{ readonly command: Command }>
}

export const commands: Readonly<Record<string, CommandRow>> = {
  serve: {
    summary: 'serve the built service until it is stopped',
    examples: ['', '--grace 30'],
    load: () => import('./commands/serve.ts'),
  },
  health: {
    summary: 'print the health of the service on this machine',
    examples: ['', '> health.json'],
    load: () => import('./commands/health.ts'),
  },
  'smoke-test': {
    summary: 'check cloud profiles, and optionally the token',
    examples: ['--all', '--check-token --format junit > results.xml'],
    script: true,
    load: () => import('./commands/smoke-test.ts'),
  },
  discover: {
    summary: 'draft a profile from the metadata of a live cloud',
    examples: ['https://management.local.azurestack.external/ --output stack.json', '--name partner > partner.json'],
    load: () => import('./commands/discover.ts'),
  },
  explain: {
    summary: 'print the active profile, and why it differs from the built-in one',
    examples: ['', '--cloud platform-commercial --all'],
    load: () => import('./commands/explain.ts'),
  },
  settings: {
    summary: 'print every setting, its value and its source',
    examples: ['--set', '--format env > service.env'],
    load: () => import('./commands/settings.ts'),
  },
  check: {
    summary: 'validate custom profile files',
    examples: ['enclave.json', '--strict --format json profiles/*.json'],
    load: () => import('./commands/check.ts'),
  },
  clouds: {
    summary: 'list the known clouds with their values',
    examples: ['platform-us-government', '--format hosts --not platform-us-government'],
    load: () => import('./commands/clouds.ts'),
  },
  drift: {
    summary: 'compare the active profile with the metadata of its live cloud',
    examples: ['', '--cloud platform-us-government --format json'],
    load: () => import('./commands/drift.ts'),
  },
  export: {
    summary: 'write the active profile for another tool',
    examples: ['env > cloud.env', 'terraform --cloud platform-us-government'],
    load: () => import('./commands/export.ts'),
  },
  why: {
    summary: 'explain an error of another tool',
    examples: ['AADSTS900382', '--cloud platform-us-government < build.log'],
    load: () => import('./commands/why.ts'),
  },
  run: {
    summary: 'run a program with the endpoints and the credential of a cloud',
    examples: ['--report -- terraform plan', '--cloud platform-us-government --enclave --strict -- pytest'],
    load: () => import('./commands/run.ts'),
  },
  enclave: {
    summary: 'run a simulated sovereign cloud on loopback',
    examples: ['', '--fault untrusted-ca'],
    script: true,
    load: () => import('./commands/enclave.ts'),
  },
  demo: {
    summary: 'run the service against a simulated sovereign cloud',
    examples: ['', '--fault clock-skew'],
    script: true,
    load: () => import('./commands/demo.ts'),
  },
  completion: {
    summary: 'print a completion script for a shell',
    examples: ['bash', 'fish > ~/.config/fish/completions/cloud-profile.fish'],
    load: async () => ({ command: (await import('./commands/completion.ts')).completionOf(commands) }),
  },
}

/** A program with commands, and how a person calls it. */
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
    terminal.note(usage(line, readableWidth({ width: terminal.stderrWidth })).trimEnd())
    return exitCodes.usage
  }
  if (['--help', '-h', 'help'].includes(name)) {
    const [about] = args
    if (name === 'help' && about !== undefined) return runCommandLine([about, '--help'], terminal, line)
    terminal.print(usage(line, readableWidth(terminal)))
    return exitCodes.passed
  }
  if (name === '--version' || name === 'version') {
    terminal.print(`${VERSION}\n`)
    return exitCodes.passed
  }
  const { load, examples } = choose('command', name, line.rows)
  const { command } = await load()
  return execute(command, args, terminal, line.called(name), examples)
}

function usage({ program, rows }: CommandLine, width: number): string {
  const list = Object.entries(rows).map(([name, { summary }]) => [name, summary] as const)
  const redirect = isPackaged ? '' : '; use npm run --silent to redirect them'
  const end = `COMMAND --help or help COMMAND prints the help of a command, and version the version. Results go to stdout, everything else to stderr${redirect}.`
  return `${wrap(`Usage: ${program} COMMAND [options]`, width)}\n\n${formatRows(list, width)}\n${wrap(end, width)}\n`
}
