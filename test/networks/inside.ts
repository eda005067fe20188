import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startEnclave, writeEnclaveFiles, type EnclaveAuthMode } from '../../src/enclave/enclave.ts'
import { cleanEnvironment } from '../support/environment.ts'
import { startNameServer, type Names } from './name-server.ts'

// Runs inside of a network namespace: a name server and an enclave here, and one process after the other that uses them. Prints what each
// of them said, as JSON.

/** What runs inside. Every command has the settings of the enclave. */
export interface Scene {
  readonly nameServer?: { readonly address: string; readonly names: Names }
  readonly federationService?: boolean
  readonly commands: readonly Command[]
}

export interface Command {
  readonly args: readonly string[]
  readonly mode?: EnclaveAuthMode
  readonly env?: Readonly<Record<string, string>>
}

export interface Said {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  readonly durationMs: number
}

const [commandLine = '', text = ''] = process.argv.slice(2)
const { nameServer, federationService = false, commands } = JSON.parse(text) as Scene
if (nameServer !== undefined) await startNameServer(nameServer.address, nameServer.names)
const enclave = await startEnclave({ federationService })
const files = await writeEnclaveFiles(enclave)

const said: Said[] = []
for (const { args, mode = 'clientSecret', env } of commands) {
  said.push(await run(args, { ...enclave.environment(mode, files), ...env }))
}
process.stdout.write(JSON.stringify(said), () => process.exit(0))

async function run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Said> {
  const started = performance.now()
  const child = spawn(process.execPath, [commandLine, ...args], {
    env: cleanEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
  const [status] = (await once(child, 'close')) as [number | null]
  return { status, stdout, stderr, durationMs: Math.round(performance.now() - started) }
}
