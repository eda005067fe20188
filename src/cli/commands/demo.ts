import { once } from 'node:events'
import { defineCommand, exitCodes } from '../command.ts'
import { enclaveOptions, withChosenEnclave } from '../open-enclave.ts'
import { spawnChild, stopChild } from '../processes.ts'

/** Variables of this machine that the demo ignores. The log level is kept. */
const foreign =
  /^(PLATFORM_(?!LOG_LEVEL$)|AZURE_|AUTH_MODE$|CUSTOM_CLOUD_|IDENTITY_|MSI_|IMDS_|https?_proxy$|all_proxy$)/i

/** The enclave serves any account and any vault. With both configured, the page shows every connection of the service. */
const services = { PLATFORM_STORAGE_ACCOUNT: 'demo', PLATFORM_KEY_VAULT: 'demo' }

export const command = defineCommand({
  description:
    'Runs the service on port 3000 (or PORT) against a simulated sovereign cloud on loopback, until it is stopped.',
  options: enclaveOptions,
  async run({ values }, terminal) {
    const chosen = { isDemo: true, localServices: true }
    if (values.fault !== 'list')
      terminal.note('Starting a simulated sovereign cloud on this machine, and the service against it')
    return withChosenEnclave(values, terminal, chosen, async ({ enclave, files, stopped }) => {
      terminal.note(`Simulated cloud: ${enclave.resourceManagerEndpoint}`)
      terminal.note('Open the address below. Ctrl+C stops both. --fault list shows what can be made to fail')
      // A separate process, because Node reads NODE_EXTRA_CA_CERTS only at start.
      const inherited = Object.entries(terminal.env).filter(([name]) => !foreign.test(name))
      const service = spawnChild(['serve'], {
        ...Object.fromEntries(inherited),
        ...services,
        ...enclave.environment(values.mode, files),
      })
      void stopped.then(() => stopChild(service))
      const [code] = (await once(service, 'exit')) as [number | null]
      return code ?? exitCodes.passed
    })
  },
})
