import { quoteShell } from '../../lib/base/printable.ts'
import { explainChosen, profileOptions } from '../choose-profile.ts'
import { defineCommand, exitCodes, UsageError } from '../command.ts'
import { enclaveOptions, readSeedOptions, seedOptions, withChosenEnclave } from '../open-enclave.ts'

/** The line that sets a variable, in a shell or a file of variables. */
const formats = {
  posix: (name, value) => `export ${name}=${quoteShell(value)}`,
  // PowerShell treats typographic quotes as plain ones.
  powershell: (name, value) => `$env:${name} = '${value.replaceAll(/['\u2018-\u201b]/g, '$&$&')}'`,
  // For a batch file, where a percent sign is doubled, and a double quote can't be escaped.
  cmd: (name, value) => `set "${name}=${expectNo(value, '"').replaceAll('%', '%%')}"`,
  env: (name, value) => `${name}=${value}`,
} as const satisfies Readonly<Record<string, (name: string, value: string) => string>>

type Shell = keyof typeof formats

export const shells = Object.keys(formats) as Shell[]

export const command = defineCommand({
  description:
    'Runs a simulated sovereign cloud on loopback until it is stopped, and prints the settings for it as lines for a shell.',
  options: {
    ...enclaveOptions,
    cloud: {
      ...profileOptions.cloud,
      help: 'simulate a known cloud: its identity provider, audiences, suffixes and services',
    },
    profile: { ...profileOptions.profile, help: 'simulate the cloud of a profile file' },
    ...seedOptions,
    shell: {
      value: 'SHELL',
      help: 'syntax of the printed settings; cmd is for a batch file, env for an environment file',
      default: process.platform === 'win32' ? 'powershell' : 'posix',
      choices: shells,
    },
  },
  async run({ values }, terminal) {
    const isChosen = values.cloud !== undefined || values.profile !== undefined
    const cloud = isChosen ? explainChosen(values, terminal.env).profile : undefined
    // An application that uses `service()` gets loopback addresses, because the names of a cloud don't resolve to the enclave.
    const chosen = { isDemo: false, cloud, localServices: true, ...readSeedOptions(values) }
    return withChosenEnclave(values, terminal, chosen, async ({ enclave, files, stopped }) => {
      terminal.note(`Enclave running
  Login authority:  ${enclave.authorityHost}
  Resource manager: ${enclave.resourceManagerEndpoint}
  Key vault:        ${enclave.vaultEndpoint}
  Storage account:  ${enclave.storageEndpoint}`)
      // Quoted for the shell.
      terminal.printRaw(formatEnvironment(enclave.environment(values.mode, files), values.shell))
      terminal.note(
        '\nRun these lines in the shell of your program, or write them to a file. Stop the enclave with Ctrl+C.',
      )
      await stopped
      return exitCodes.passed
    })
  },
})

/** Variables as lines for a shell. @throws {UsageError} for a name or value that the shell cannot express. */
export function formatEnvironment(variables: Readonly<Record<string, string>>, shell: Shell): string {
  const end = shell === 'cmd' ? '\r\n' : '\n'
  return Object.entries(variables)
    .map(([name, value]) => {
      if (!/^[A-Za-z_]\w*$/.test(name)) throw new UsageError(`${name} is not a valid variable name`)
      return formats[shell](name, shell === 'posix' ? value : expectNo(value, '\n', '\r', '\0')) + end
    })
    .join('')
}

function expectNo(value: string, ...characters: readonly string[]): string {
  if (!characters.some((each) => value.includes(each))) return value
  throw new UsageError('A value contains a character that this shell cannot express. Choose --shell posix')
}
