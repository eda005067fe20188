import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { discoveryName } from './client.ts'
import type { Enclave } from '../src/enclave/enclave.ts'

const commandLine = fileURLToPath(new URL('../src/cli/cloud-profile.ts', import.meta.url))

/** This service, serving the metadata of its profile over https to tools on the same machine. */
export async function startMetadataHost(enclave: Enclave, env: Readonly<Record<string, string>>, directory: string) {
  const identity = await enclave.ca.issue({
    commonName: 'metadata',
    usage: 'server',
    names: ['localhost', '127.0.0.1', discoveryName],
  })
  const paths = { certificate: join(directory, 'metadata.pem'), key: join(directory, 'metadata.key') }
  await writeFile(paths.certificate, identity.chainPem)
  await writeFile(paths.key, identity.privateKeyPem, { mode: 0o600 })
  const child = spawn(process.execPath, [commandLine, 'start'], {
    env: {
      ...env,
      AUTH_MODE: 'clientSecret',
      PORT: '0',
      PLATFORM_SERVE_METADATA: 'true',
      PLATFORM_TLS_CERTIFICATE_PATH: paths.certificate,
      PLATFORM_TLS_KEY_PATH: paths.key,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  let output = ''
  const port = await new Promise<string>((resolve, reject) => {
    const look = (text: string): void => {
      output += text
      const found = /Server running on https?:\/\/[^:\s]+:(\d+)/.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    }
    child.stdout.setEncoding('utf8').on('data', look)
    child.stderr.setEncoding('utf8').on('data', look)
    child.once('exit', () => reject(new Error(`The service does not start: ${output.slice(-1000)}`)))
  })
  return {
    origin: `https://localhost:${port}`,
    port: Number(port),
    close: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
