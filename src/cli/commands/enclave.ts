import { formatShellExports } from '../../enclave/settings.ts'
import { defineCommand } from '../command.ts'
import { enclaveOptions, readFault } from '../enclave-options.ts'
import { onStopSignal } from '../stop-signal.ts'

export const command = defineCommand({
  about:
    'Runs a sovereign cloud on loopback until it is stopped, and prints the settings that use it, as lines for a shell.',
  options: enclaveOptions,
  async run({ values }, { print, note }) {
    // It brings what makes certificates along, which no help needs.
    const { openEnclave } = await import('../enclave-session.ts')
    const { enclave, files, close } = await openEnclave(readFault(values))
    onStopSignal(close)
    note(`Enclave running: ${enclave.authorityHost} and ${enclave.resourceManagerEndpoint}`)
    print(formatShellExports(enclave.environment(values.mode, files)))
    return undefined
  },
})
