import { refuseOldNode } from '../lib/settings/node-requirements.ts'
import { VERSION } from '../lib/settings/version.ts'
import { isPackaged } from './app-directory.ts'
import { choose, execute, type Command, exitCodes, UsageError } from './command.ts'
import { readableWidth, type Terminal, formatRows, wrap } from './terminal.ts'

// The command line of the package and of the npm scripts. Only this folder reads arguments, prints results and sets the exit code.

/** What people type for a command. */
const synonyms = { list: 'clouds', login: 'export az', test: 'smoke-test', validate: 'check', start: 'serve' }

/** A command. Its file is loaded when the command runs. */
export interface CommandRow {
  readonly summary: string
  /** Arguments of example calls, for the help. */
  readonly examples?: readonly [string, string]
  /** Whether `npm run NAME` is this command. */
  readonly script?: true
  readonly load: () => Promise<{ readonly command: Command }>
}

type Rows = Readonly<Record<string, CommandRow>>
/** Commands by the heading in the help, with when to use them. */
type Groups = Readonly<Record<string, Rows>>

const groups: Groups = {
  'See: try the service without a cloud, and see which cloud is in force': {
    demo: {
      summary: 'run the service against a simulated sovereign cloud',
      examples: ['', '--fault clock-skew'],
      script: true,
      load: () => import('./commands/demo.ts'),
    },
    explain: {
      summary: 'print the active profile, and why it differs from the built-in one',
      examples: ['', '--cloud platform-commercial --all'],
      load: () => import('./commands/explain.ts'),
    },
    clouds: {
      summary: 'list the known clouds with their values',
      examples: ['platform-us-government', '--format hosts --not platform-us-government'],
      load: () => import('./commands/clouds.ts'),
    },
    settings: {
      summary: 'print the settings, their values and sources',
      examples: ['', '--all'],
      load: () => import('./commands/settings.ts'),
    },
  },
  'Check: check reads files, smoke-test the profiles of this environment and its token, drift the live cloud': {
    check: {
      summary: 'validate custom profile files',
      examples: ['enclave.json', '--strict --format json profiles/*.json'],
      load: () => import('./commands/check.ts'),
    },
    'smoke-test': {
      summary: 'check cloud profiles, and optionally the token',
      examples: ['--all', '--check-token --format junit > results.xml'],
      script: true,
      load: () => import('./commands/smoke-test.ts'),
    },
    drift: {
      summary: 'compare the active profile with the metadata of its live cloud',
      examples: ['', '--cloud platform-us-government --format json'],
      load: () => import('./commands/drift.ts'),
    },
  },
  'Run: serve runs the service here; npm start and Azure Functions run the same bundle': {
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
  },
  'Other programs: give a program the values of the cloud, simulate the cloud, and explain an error': {
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
  },
  'Write: write a profile of a live cloud, and a completion script': {
    discover: {
      summary: 'draft a profile from the metadata of a live cloud',
      examples: ['https://management.local.azurestack.external/ --output stack.json', '--name partner > partner.json'],
      load: () => import('./commands/discover.ts'),
    },
    completion: {
      summary: 'print a completion script for a shell',
      examples: ['bash', 'fish > ~/.config/fish/completions/cloud-profile.fish'],
      load: async () => ({ command: (await import('./commands/completion.ts')).completionOf(commands) }),
    },
  },
}

const rowsOf = (all: Groups): Rows => Object.assign({}, ...Object.values(all)) as Rows

export const commands = rowsOf(groups)

/** A program with commands, as a person calls it. */
export interface CommandLine {
  readonly program: string
  readonly groups: Groups
}

const cloudProfile: CommandLine = { program: isPackaged ? 'cloud-profile' : 'npm run profile --', groups }

/** Runs one command of the table: the first word names it, and the others are its arguments. */
export async function runCommandLine(
  [name, ...args]: readonly string[],
  terminal: Terminal,
  line: CommandLine = cloudProfile,
): Promise<number | undefined> {
  refuseOldNode()
  if (name === undefined) {
    terminal.note(usage(line, readableWidth(terminal.stderrWidth)).trimEnd())
    return exitCodes.usage
  }
  if (['--help', '-h', 'help'].includes(name)) {
    const [about] = args
    if (name === 'help' && about !== undefined) return runCommandLine([about, '--help'], terminal, line)
    terminal.print(usage(line, readableWidth(terminal.width)))
    return exitCodes.passed
  }
  if (['--version', '-v', '-V', 'version'].includes(name)) {
    if (args.length > 0) throw new UsageError(`${name} takes no arguments`)
    terminal.print(`${VERSION}\n`)
    return exitCodes.passed
  }
  const { load, examples, script } = choose('command', name, rowsOf(line.groups), synonyms)
  const { command } = await load()
  const called = script === true && !isPackaged ? `npm run ${name} --` : `${line.program} ${name}`
  return execute(command, args, terminal, called, examples)
}

function usage({ program, groups }: CommandLine, width: number): string {
  const longest = Math.max(...Object.keys(rowsOf(groups)).map(({ length }) => length))
  const lists = Object.entries(groups).map(([heading, rows]) => {
    const texts = Object.entries(rows).map(([name, { summary }]) => [name, summary] as const)
    return `${heading === '' ? '' : `${wrap(heading, width)}\n`}${formatRows(texts, width, longest)}`
  })
  const redirect = isPackaged ? '' : '; use npm run --silent to redirect them'
  const end = `COMMAND --help or help COMMAND prints the help of a command, and version the version. Results go to stdout, everything else to stderr${redirect}.`
  return [`${wrap(`Usage: ${program} COMMAND [options]`, width)}\n`, ...lists, `${wrap(end, width)}\n`].join('\n')
}
