import { defineCommand } from '../command.ts'
import { enclaveOptions } from '../enclave-options.ts'
import { exitCodes } from '../exit.ts'
import { listFaults, readFault } from '../faults.ts'
import { defaultShell, formatEnvironment, shells } from '../format-environment.ts'
import { onStopSignal } from '../stop-signal.ts'

export const command = defineCommand({
  description:
    'Runs a sovereign cloud on loopback until it is stopped, and prints the settings for it as lines for a shell.',
  options: {
    ...enclaveOptions,
    lenient: { type: 'boolean', help: 'accept the resource manager endpoint as an audience, and normalize scopes' },
    discovery: {
      type: 'boolean',
      help: 'serve instance discovery as login.microsoftonline.com on port 443, for clients that cannot switch it off',
    },
    shell: {
      type: 'string',
      value: 'SHELL',
      help: 'syntax of the printed settings; cmd is for a batch file, env for an environment file',
      default: defaultShell,
      choices: shells,
    },
  },
  notes: `With --discovery, let the name resolve to 127.0.0.1 (such as in /etc/hosts) and run the command with the right to use port 443.`,
  async run({ values }, { print, note, width }) {
    if (values.fault === 'list') {
      print(listFaults(values.mode, width, false))
      return exitCodes.passed
    }
    const fault = values.fault === undefined ? undefined : readFault(values.fault, values.mode, false)
    // Loaded late: the certificate library is slow to load, and the help does not need it.
    const { openEnclave } = await import('../enclave-session.ts')
    const { enclave, files, close } = await openEnclave(fault, {
      federationService: values['federation-service'],
      versions: values.versions,
      lenient: values.lenient,
      discovery: values.discovery,
      ...(values.discovery ? { ports: { login: 443 } } : {}),
    })
    onStopSignal(close)
    note(`Enclave running
  Login authority:  ${enclave.authorityHost}
  Resource manager: ${enclave.resourceManagerEndpoint}
  Key vault:        ${enclave.vaultEndpoint}
  Storage account:  ${enclave.storageEndpoint}`)
    if (fault !== undefined) note(`Fault: ${fault.title}`)
    if (fault?.isVisible === false)
      note(`The service does not contact ${fault.target} in this mode: only other clients see the fault`)
    print(formatEnvironment(enclave.environment(values.mode, files), values.shell))
    return undefined
  },
})
