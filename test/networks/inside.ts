import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startEnclave, writeEnclaveFiles, type EnclaveAuthMode } from 'cloud-profile-enclave/enclave'
import { cleanEnvironment } from '../support/environment.ts'
import { startForwardProxy } from '../support/forward-proxy.ts'
import { startNameServer } from './name-server.ts'

// Runs inside a network namespace: starts a name server, an enclave and a proxy, runs commands against them, and prints as JSON what each
// command printed.

/** What runs inside. Every command has the settings of the enclave. */
export interface Scene {
  /** The address of the name server and the proxy. */
  readonly loopback: string
  /** The addresses of each name by record type. Other names do not exist. Without it there is no name server. */
  readonly names?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly commands: readonly Command[]
}

export interface Command {
  /** `{metadata}` is the metadata endpoint of the enclave, `{proxy}` the address of the proxy. */
  readonly args: readonly string[]
  readonly mode?: EnclaveAuthMode
  readonly env?: Readonly<Record<string, string>>
  /** Commands that run once this one serves, after which it is stopped. */
  readonly during?: readonly Command[]
  /** A path that is requested from this command's server, which is stopped then. */
  readonly path?: string
}

export interface Said {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  readonly during: readonly Said[]
  /** The response for `path`. */
  readonly body?: string
}

const [commandLine = '', text = ''] = process.argv.slice(2)
const { loopback, names, commands } = JSON.parse(text) as Scene
if (names !== undefined)
  await startNameServer(loopback, (name, type) => (names[name] === undefined ? 'NXDOMAIN' : names[name][type]))
const enclave = await startEnclave()
const files = await writeEnclaveFiles(enclave)
const ports = new Map([['one.blob.core.enclave.test', Number(new URL(enclave.storageEndpoint).port)]])
const proxy = await startForwardProxy({ ports, address: loopback }, loopback.includes(':') ? `[${loopback}]` : loopback)
const values: Readonly<Record<string, string>> = {
  '{metadata}': enclave.metadataEndpoint,
  '{proxy}': `http://${proxy.host}`,
}

const said: Said[] = []
for (const command of commands) said.push(await run(command))
process.stdout.write(JSON.stringify(said), () => process.exit(0))

async function run({ args, mode = 'clientSecret', env = {}, during, path }: Command): Promise<Said> {
  const fill = (value: string) => values[value] ?? value
  const variables = Object.entries(env).map(([name, value]) => [name, fill(value)] as const)
  const child = spawn(process.execPath, [commandLine, ...args.map(fill)], {
    env: cleanEnvironment({ ...enclave.environment(mode, files), ...Object.fromEntries(variables) }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close') as Promise<[number | null]>
  const heard = { stdout: '', stderr: '' }
  let tell = (_url: string) => {}
  const serving = new Promise<string>((resolve) => (tell = resolve))
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    heard.stdout += chunk
    const url = /Server running on (\S+)\n|(AUTH_MODE=)/.exec(heard.stdout)
    if (url !== null) tell(url[1] ?? '')
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    heard.stderr += chunk
    // The person who is asked to sign in does so.
    const code = /enter the code (\S+)/.exec(chunk)?.[1]
    if (code !== undefined) enclave.approveDeviceCode(code)
  })
  const inner: Said[] = []
  let body: string | undefined
  if (during !== undefined || path !== undefined) {
    const url = await Promise.race([serving, ended.then(() => undefined)])
    if (path !== undefined && url !== undefined) body = await (await fetch(url + path)).text()
    for (const each of during ?? []) inner.push(await run(each))
    child.kill('SIGTERM')
  }
  const [status] = await ended
  return { status, ...heard, during: inner, ...(body === undefined ? {} : { body }) }
}
