import { formatShellExports } from '../enclave/enclave.ts'
import { openEnclave, readEnclaveArguments } from './enclave-session.ts'
import { exitCodes, runCommand } from './run-command.ts'
import { onStopSignal } from './stop-signal.ts'

const usage = `Usage: npm run enclave -- [--mode MODE] [--fault FAULT]

Runs a sovereign cloud on loopback until it is stopped, and prints the settings that use it, as lines for a shell.

  --mode MODE     a value of AUTH_MODE; default is clientSecret
  --fault FAULT   something that is wrong with this cloud, such as untrusted-ca or silent
  --help          this text
`

await runCommand(async () => {
  const given = readEnclaveArguments(usage)
  if (given === undefined) return exitCodes.passed
  const { enclave, files, close } = await openEnclave(given.fault)
  process.stderr.write(`Enclave running: ${enclave.authorityHost} and ${enclave.resourceManagerEndpoint}\n`)
  process.stdout.write(formatShellExports(enclave.environment(given.mode, files)))
  onStopSignal(close)
  return exitCodes.passed
})
