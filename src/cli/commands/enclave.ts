import { formatShellExports } from '../../enclave/settings.ts'
import { defineCommand } from '../command.ts'
import { enclaveOptions } from '../enclave-options.ts'
import { exitCodes } from '../exit.ts'
import { listFaults, readFault } from '../faults.ts'
import { onStopSignal } from '../stop-signal.ts'

export const command = defineCommand({
  description:
    'Runs a sovereign cloud on loopback until it is stopped, and prints the settings for it as shell commands.',
  options: enclaveOptions,
  async run({ values }, { print, note, width }) {
    if (values.fault === 'list') {
      print(listFaults(values.mode, width))
      return exitCodes.passed
    }
    const fault = values.fault === undefined ? undefined : readFault(values.fault, values.mode, false)
    // Loaded late: the certificate library is slow to load, and the help does not need it.
    const { openEnclave } = await import('../enclave-session.ts')
    const { enclave, files, close } = await openEnclave(fault)
    onStopSignal(close)
    note(`Enclave running: ${enclave.authorityHost} and ${enclave.resourceManagerEndpoint}`)
    if (fault !== undefined) note(`Fault: ${fault.title}`)
    print(formatShellExports(enclave.environment(values.mode, files)))
    return undefined
  },
})
