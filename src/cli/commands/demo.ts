import { once } from 'node:events'
import { defineCommand } from '../command.ts'
import { enclaveOptions } from '../enclave-options.ts'
import { exitCodes } from '../exit.ts'
import { listFaults, readFault } from '../faults.ts'
import { isPackaged } from '../is-packaged.ts'
import { runChild, stopChild } from '../run-child.ts'
import { onStopSignal } from '../stop-signal.ts'

/** The settings of this machine must not reach into the demo. */
const foreign = /^(PLATFORM_|AZURE_|AUTH_MODE$|CUSTOM_CLOUD_|IDENTITY_|MSI_|IMDS_|https?_proxy$|all_proxy$)/i

export const command = defineCommand({
  description: 'Runs the service on port 3000 (or PORT) against a sovereign cloud on loopback, until it is stopped.',
  options: { ...enclaveOptions, built: { type: 'boolean', help: 'serve the bundle in dist without a build' } },
  async run({ values }, { env, print, note, width }) {
    if (values.fault === 'list') {
      print(listFaults(values.mode, width, true))
      return exitCodes.passed
    }
    const fault = values.fault === undefined ? undefined : readFault(values.fault, values.mode, true)
    // Loaded late: the certificate library is slow to load, and the help does not need it.
    const { openEnclave } = await import('../enclave-session.ts')
    const { enclave, files, close } = await openEnclave(fault, {
      federationService: values['federation-service'],
      versions: values.versions,
    })
    if (fault !== undefined) note(`Fault: ${fault.title}`)
    // A separate process, because Node reads NODE_EXTRA_CA_CERTS only at start.
    const inherited = Object.entries(env).filter(([name]) => !foreign.test(name))
    const service = runChild(
      isPackaged ? ['serve'] : ['start', '--ignore-local-settings', ...(values.built ? ['--built'] : [])],
      {
        ...Object.fromEntries(inherited),
        ...enclave.environment(values.mode, files),
      },
    )
    const ended = once(service, 'exit')
    onStopSignal(async () => {
      await stopChild(service)
      await close()
    })
    const [code] = (await ended) as [number | null]
    await close()
    return code === null || code === 0 ? exitCodes.passed : exitCodes.usage
  },
})
