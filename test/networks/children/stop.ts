import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { cleanEnvironment } from '../../support/environment.ts'

// Runs inside a network namespace whose DNS server is silent: stops the service while its lookups hang, and prints how it ended, as JSON.

const [commandLine = '', text = ''] = process.argv.slice(2)
const { starter, signal } = JSON.parse(text) as { starter: 'node' | 'npm' | 'unshare'; signal: NodeJS.Signals }
const nameServer = createSocket('udp4').bind(53, '127.0.0.1')
const queried = once(nameServer, 'message')
const serve = [process.execPath, commandLine, 'serve']
const directory = mkdtempSync(join(tmpdir(), 'stop-'))
writeFileSync(join(directory, 'package.json'), JSON.stringify({ scripts: { start: serve.join(' ') } }))
const [program = '', ...args] = {
  node: serve,
  npm: ['npm', 'start'],
  unshare: ['unshare', '-Urpf', '--mount-proc', ...serve],
}[starter]
const ids = { PLATFORM_TENANT_ID: 'contoso.example', PLATFORM_CLIENT_ID: 'id' }
const credential = { AUTH_MODE: 'clientSecret', ...ids, PLATFORM_CLIENT_SECRET: 'a.secret' }
const env = cleanEnvironment({ ...credential, PORT: '0', PATH: process.env['PATH'] })
const service = spawn(program, args, { env, cwd: directory, stdio: ['ignore', 'pipe', 'inherit'] })
const ended = once(service, 'close') as Promise<[number | null, NodeJS.Signals | null]>
let printed = ''
service.stdout.on('data', (chunk) => (printed += String(chunk)))
let url: string | undefined
while (url === undefined) {
  await delay(20)
  url = /Server running on (\S+)/.exec(printed)?.[1]
}
void fetch(`${url}/api/diagnostics`).catch(() => undefined)
await queried
const before = performance.now()
// unshare passes no signal on.
const children = readFileSync(`/proc/${service.pid}/task/${service.pid}/children`, 'utf8').trim()
process.kill(starter === 'unshare' ? Number(children) : (service.pid ?? 0), signal)
const [code, endedBy] = await ended
rmSync(directory, { recursive: true })
process.stdout.write(JSON.stringify({ code, endedBy, ms: performance.now() - before }), () => process.exit(0))
