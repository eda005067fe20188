import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { openEnclave, readEnclaveArguments } from './enclave-session.ts'
import { exitCodes, runCommand } from './run-command.ts'
import { onStopSignal } from './stop-signal.ts'

const usage = `Usage: npm run demo -- [--mode MODE] [--fault FAULT]

Runs the service on port 3000 (or PORT) against a sovereign cloud on loopback, until it is stopped.

  --mode MODE     a value of AUTH_MODE; default is clientSecret. Try deviceCode
  --fault FAULT   something that is wrong with this cloud. Try untrusted-ca
  --help          this text
`

/** What this machine is set up for must not reach into the demo. */
const foreign = /^(PLATFORM_|AZURE_|AUTH_MODE$|CUSTOM_CLOUD_|IDENTITY_|MSI_|IMDS_|https?_proxy$|all_proxy$)/i

await runCommand(async () => {
  const given = readEnclaveArguments(usage)
  if (given === undefined) return exitCodes.passed
  const { enclave, files, close } = await openEnclave(given.fault)
  // A process of its own: Node reads NODE_EXTRA_CA_CERTS at its start only.
  const inherited = Object.entries(process.env).filter(([name]) => !foreign.test(name))
  const service = spawn(process.execPath, [fileURLToPath(new URL('./start.ts', import.meta.url))], {
    stdio: 'inherit',
    env: { ...Object.fromEntries(inherited), ...enclave.environment(given.mode, files) },
  })
  const ended = once(service, 'exit')
  onStopSignal(async () => {
    service.kill('SIGTERM')
    await ended
    await close()
  })
  const [code] = (await ended) as [number | null]
  await close()
  return code === null || code === 0 ? exitCodes.passed : exitCodes.usage
})
