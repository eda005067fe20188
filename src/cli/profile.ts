import { exitCodes, runCommand, type ExitCode } from './run-command.ts'
import { unknownName } from './profile/arguments.ts'

/** One subcommand, given what stands after its name. */
type Subcommand = (args: readonly string[]) => Promise<ExitCode>

/** Each subcommand brings its libraries along only when it is asked for. */
const subcommands: Readonly<Record<string, { readonly what: string; readonly load: () => Promise<Subcommand> }>> = {
  discover: {
    what: 'ENDPOINT  draft a profile from the metadata of a live cloud',
    load: async () => (await import('./profile/discover.ts')).discover,
  },
  explain: {
    what: '          each field of the profile in force, its source, and the values it beat',
    load: async () => (await import('./profile/explain.ts')).explain,
  },
  check: {
    what: 'FILE…     validate custom profile files',
    load: async () => (await import('./profile/check.ts')).check,
  },
  drift: {
    what: '          hold the profile in force against the metadata of its live cloud',
    load: async () => (await import('./profile/drift.ts')).drift,
  },
  export: {
    what: 'FORMAT    hand the profile in force to another tool',
    load: async () => (await import('./profile/export.ts')).exportTo,
  },
}

const usage = `Usage: npm run profile -- COMMAND [options]

${Object.entries(subcommands)
  .map(([name, { what }]) => `  ${name.padEnd(9)} ${what}\n`)
  .join('')}
Each command has --help. Results go to stdout and everything else to stderr; use npm run --silent to redirect them.
`

// A reader that has seen enough, such as head, is no fault of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.failed)
  throw error
})

await runCommand(async () => {
  const [name, ...args] = process.argv.slice(2)
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    ;(name === undefined ? process.stderr : process.stdout).write(usage)
    return name === undefined ? exitCodes.usage : exitCodes.passed
  }
  const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined
  if (subcommand === undefined) throw unknownName('command', name, Object.keys(subcommands))
  return (await subcommand.load())(args)
})
