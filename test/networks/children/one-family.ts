import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { startEnclave, writeEnclaveFiles } from 'cloud-profile-enclave/enclave'
import { cleanEnvironment } from '../../support/environment.ts'
import { startNameServer } from '../name-server.ts'

// Runs inside a network namespace with one address family: serves on an address, and prints its URL and the status of its report as JSON.

const [commandLine = '', text = ''] = process.argv.slice(2)
const { loopback, records, address } = JSON.parse(text) as {
  readonly loopback: string
  readonly records: Readonly<Record<string, string>>
  readonly address: string
}
await startNameServer(loopback, (name, type) => (name === 'localhost' ? records[type] : undefined))
const enclave = await startEnclave()
const settings = enclave.environment('clientSecret', await writeEnclaveFiles(enclave))
const key = { PLATFORM_LISTEN_ADDRESS: address, PLATFORM_HOST_KEY: 'key-for-the-test-of-networks' }
const env = cleanEnvironment({ ...settings, ...(address === '' ? {} : key), PLATFORM_TOKEN_TIMEOUT_MS: '120000' })
const server = spawn(process.execPath, [commandLine, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
const [line] = (await once(server.stdout.setEncoding('utf8'), 'data')) as [string]
const [, url = ''] = /^Server running on (\S+)\n/.exec(line) ?? []
const headers = { 'x-functions-key': key.PLATFORM_HOST_KEY }
const report = await fetch(`${url.replace('[::]', loopback === '::1' ? '[::1]' : loopback)}/api/diagnostics`, {
  headers,
})
const { status } = (await report.json()) as { status: string }
await promisify(execFile)(process.execPath, [commandLine, 'health'], { env })
server.kill('SIGTERM')
process.stdout.write(JSON.stringify({ url, status }), () => process.exit(0))
