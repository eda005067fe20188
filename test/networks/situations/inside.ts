import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { createCertificateAuthority, startEnclave, writeEnclaveFiles } from 'cloud-profile-enclave/enclave'
import type { SmokeTestRun } from '../../../src/lib/diagnostics/report.ts'
import { cleanEnvironment } from '../../support/environment.ts'
import { privateDocument } from '../../support/profile-document.ts'
import { startNameServer } from '../name-server.ts'
import { hosts, situations, type Rig } from './situations.ts'

// Runs inside a network namespace: for each named situation a cloud under its host names. Prints what the smoke test found in each, as JSON.

const [commandLine = '', text = '[]'] = process.argv.slice(2)
const run = (line: string) => execFileSync('sh', ['-c', line], { stdio: ['ignore', 'ignore', 'inherit'] })
for (const address of ['52.1.2.3', '10.1.0.7', ...Object.values(hosts)]) run(`ip addr replace ${address}/32 dev lo`)
run('ip route add prohibit 10.7.1.0/24')
// At the far end of the cable is another hardware address, so that its packets vanish.
run('ip link add near type veth peer name far; ip link set near up; ip link set far up')
run('ip route add 10.7.2.0/24 via 10.7.2.9 dev near onlink; ip neigh add 10.7.2.9 lladdr 02:00:00:00:00:01 dev near')

let answer: Parameters<Rig['resolve']>[0] = () => undefined
await startNameServer('127.0.0.1', (name) => answer(name) ?? hosts[name] ?? 'NXDOMAIN')

const ca = await createCertificateAuthority()
const cloud = { ...privateDocument('rig.test'), name: 'rig' }

const found: Record<string, unknown> = {}
for (const title of JSON.parse(text) as string[]) found[title] = await smokeTestIn(title)
process.stdout.write(JSON.stringify(found), () => process.exit(0))

async function smokeTestIn(title: string): Promise<unknown> {
  const enclave = await startEnclave({ ca, cloud })
  const directory = mkdtempSync(join(tmpdir(), 'situation-'))
  const files = await writeEnclaveFiles(enclave, directory)
  const sockets = new Set<Socket>()
  const servers = new Map<string, Server>()
  const listen = async (server: Server, address: string, port = 443) => {
    servers.set(`${address}:${port}`, server)
    server.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)))
    await once(server.listen(port, address), 'listening')
  }
  answer = () => undefined
  const rig: Rig = {
    enclave,
    ca,
    resolve: (by) => (answer = by),
    listen: (server, host, port) => listen(server, hosts[host] ?? host, port),
  }
  const { mode = 'clientSecret', env = {} } = (await situations[title]?.arrange(rig)) ?? {}
  for (const host of Object.keys(hosts)) {
    const role = enclave.addressOf(host)
    if (role !== undefined && !servers.has(`${hosts[host]}:443`)) await listen(relayTo(role), hosts[host] ?? '')
  }
  const words = [commandLine, 'smoke-test', '--check-token', '--format', 'json']
  const settings = Object.entries({ ...enclave.environment(mode, files), ...env }).filter(([, value]) => value !== '')
  const child = spawn(process.execPath, words, { env: cleanEnvironment(Object.fromEntries(settings)) })
  const [said, failed] = await Promise.all([textOf(child.stdout), textOf(child.stderr)])
  for (const socket of sockets) socket.destroy()
  for (const server of servers.values()) server.close()
  await enclave.close()
  rmSync(directory, { recursive: true })
  try {
    return (JSON.parse(said) as SmokeTestRun).results[0]
  } catch {
    return { said, failed }
  }
}

function relayTo(role: { readonly host: string; readonly port: number }): Server {
  return createServer((client) => {
    const upstream = connect({ ...role })
    client.on('error', () => upstream.destroy()).pipe(upstream)
    upstream.on('error', () => client.destroy()).pipe(client)
  })
}
