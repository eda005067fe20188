import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { startEnclave, writeEnclaveFiles, type EnclaveAuthMode } from 'cloud-profile-enclave/enclave'
import { cleanEnvironment } from '../support/environment.ts'
import { startNameServer } from './name-server.ts'

// Runs inside of a network namespace: a name server, an enclave and a proxy here, and processes that use them. Prints what each of them
// said, as JSON.

/** What runs inside. Every command has the settings of the enclave. */
export interface Scene {
  /** Where name server, proxy and relays listen. */
  readonly loopback: string
  /** What the name server responds for the addresses of each name; any other name does not exist. */
  readonly names?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly federationService?: boolean
  readonly commands: readonly Command[]
}

export interface Command {
  /**
   * `{metadata}` stands for the metadata endpoint of the enclave, `{proxy}` for a proxy, `{url}` for the address that the command around this
   * one serves on.
   */
  readonly args: readonly string[]
  readonly mode?: EnclaveAuthMode
  /** `{certificate}` and `{key}` stand for files with which a server of this machine can serve https. */
  readonly env?: Readonly<Record<string, string>>
  /** Commands that run once this one serves, after which it is stopped. */
  readonly during?: readonly Command[]
  /** A path that is requested from what this command serves. */
  readonly path?: string
}

export interface Said {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  readonly durationMs: number
  readonly during: readonly Said[]
  /** The response for `path`. */
  readonly body?: string
}

const [commandLine = '', text = ''] = process.argv.slice(2)
const { loopback, names, federationService = false, commands } = JSON.parse(text) as Scene
if (names !== undefined)
  await startNameServer(loopback, (name, type) => (names[name] === undefined ? 'NXDOMAIN' : names[name][type]))
const enclave = await startEnclave({ federationService })
const files = await writeEnclaveFiles(enclave)
const storagePort = Number(new URL(enclave.storageEndpoint).port)
const proxy = await startProxy()
const [certificate, key] = await writeServerCertificate()

type Values = Readonly<Record<string, string>>
const values: Values = {
  '{metadata}': enclave.metadataEndpoint,
  '{proxy}': proxy,
  '{certificate}': certificate,
  '{key}': key,
}
const said: Said[] = []
for (const command of commands) said.push(await run(command, values))
process.stdout.write(JSON.stringify(said), () => process.exit(0))

async function run({ args, mode = 'clientSecret', env = {}, during, path }: Command, known: Values): Promise<Said> {
  const fill = (value: string) => value.replace(/\{\w+\}/, (name) => known[name] ?? name)
  const started = performance.now()
  const variables = Object.entries(env).map(([name, value]) => [name, fill(value)] as const)
  const child = spawn(process.execPath, [commandLine, ...args.map(fill)], {
    env: cleanEnvironment({ ...enclave.environment(mode, files), ...Object.fromEntries(variables) }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close') as Promise<[number | null]>
  const heard = listenTo(child)
  const inner: Said[] = []
  let body: string | undefined
  if (during !== undefined || path !== undefined) {
    const url = await Promise.race([heard.serving, ended.then(() => undefined)])
    if (path !== undefined && url !== undefined) body = await (await fetch(url + path)).text()
    for (const each of during ?? []) inner.push(await run(each, { ...known, '{url}': url ?? '' }))
    child.kill('SIGTERM')
  }
  const [status] = await ended
  const durationMs = Math.round(performance.now() - started)
  return { status, ...heard.text, durationMs, during: inner, ...(body === undefined ? {} : { body }) }
}

/** What a process prints, and the address that it says it serves on. Signs in when it asks a person to. */
function listenTo(child: ChildProcess) {
  const heard = { stdout: '', stderr: '' }
  let tell = (_url: string) => {}
  const serving = new Promise<string>((resolve) => (tell = resolve))
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    heard.stdout += chunk
    const url = /Server running on (\S+)\n|(AUTH_MODE=)/.exec(heard.stdout)
    if (url !== null) tell(url[1] ?? '')
  })
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    heard.stderr += chunk
    const code = /enter the code (\S+)/.exec(chunk)?.[1]
    if (code !== undefined) enclave.approveDeviceCode(code)
  })
  return { text: heard, serving }
}

/** A proxy that knows the storage account, whose name means nothing here. */
async function startProxy(): Promise<string> {
  const server = createServer().on('connect', ({ url = '' }, client: Socket) => {
    const port = url.endsWith('.blob.core.enclave.test:443') ? storagePort : 0
    const upstream = connect(
      port,
      new URL(enclave.managedIdentity.instanceMetadataHost).hostname.replace(/^\[|\]$/g, ''),
    )
    upstream.on('connect', () => client.write('HTTP/1.1 200 Connection established\r\n\r\n'))
    pipeBoth(client, upstream)
  })
  server.listen(0, loopback)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return `http://${loopback.includes(':') ? `[${loopback}]` : loopback}:${port}`
}

/** @returns The paths of certificate and key. */
async function writeServerCertificate(): Promise<readonly [string, string]> {
  const names = ['localhost', '127.0.0.1', '::1']
  const { chainPem, privateKeyPem } = await enclave.ca.issue({ commonName: 'server', usage: 'server', names })
  const [chain, privateKey] = [join(files.directory, 'server.pem'), join(files.directory, 'server-key.pem')]
  writeFileSync(chain, chainPem)
  writeFileSync(privateKey, privateKeyPem, { mode: 0o600 })
  return [chain, privateKey]
}

function pipeBoth(one: Socket, other: Socket): void {
  one.on('error', () => other.destroy()).pipe(other)
  other.on('error', () => one.destroy()).pipe(one)
}
