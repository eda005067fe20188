import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Enclave, startEnclave, writeEnclaveFiles } from 'cloud-profile-enclave/enclave'
import { discoveryName, type Mode, type Stage } from './client.ts'
import type { Names } from './names.ts'
import { runProgram } from './run-program.ts'

const commandLine = fileURLToPath(new URL('../src/cli/cloud-profile.ts', import.meta.url))

export interface OpenStage extends Stage {
  readonly close: () => Promise<void>
}

/** An enclave for one mode of one client, in a separate home. */
export async function openStage(
  { authority, asksForEndpoint = false, discovery }: Pick<Mode, 'authority' | 'asksForEndpoint' | 'discovery'>,
  home: string,
  { cache, names }: { readonly cache: string; readonly names: Names | undefined },
): Promise<OpenStage> {
  await mkdir(home, { recursive: true })
  const enclave = await startEnclave({
    federationService: authority === 'federation service',
    lenient: asksForEndpoint,
  })
  const files = await writeEnclaveFiles(enclave, join(home, 'enclave'))
  const bare = bareEnvironment(home, files.authorityPath)
  const closers: (() => Promise<void>)[] = [() => enclave.close()]

  const exported = async (format: string, changes: Readonly<Record<string, string>> = {}): Promise<string> => {
    const path = join(home, 'profile.json')
    await writeFile(path, JSON.stringify({ ...enclave.profile, ...changes }))
    const env = { ...bare, CUSTOM_CLOUD_PROFILE_PATH: path }
    return runProgram(process.execPath, [commandLine, 'export', format], { env })
  }

  const startHost = async () => {
    const host = await startMetadataHost(enclave, { ...bare, CUSTOM_CLOUD_PROFILE_PATH: files.profilePath }, home)
    closers.push(host.close)
    return host
  }

  names?.clear()
  await names?.point(enclave.profile.serviceDnsSuffixes.storage, Number(new URL(enclave.storageEndpoint).port))
  if (discovery === 'ours') await names?.point(discoveryName, (await startHost()).port)

  return {
    enclave,
    files,
    home,
    cache,
    exported,
    exportTo: async (name, format) => {
      const path = join(home, name)
      await writeFile(path, await exported(format))
      return path
    },
    metadataHost: async () => (await startHost()).origin,
    run: (command, args, options = {}) =>
      runProgram(command, args, { cwd: home, ...options, env: { ...bare, ...options.env } }, approver(enclave)),
    close: async () => {
      for (const close of closers.splice(0).toReversed()) await close()
    },
  }
}

/** The least that programs need, and every name by which one is told which root to trust. */
function bareEnvironment(home: string, authorityPath: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    LANG: 'C.UTF-8',
    NODE_EXTRA_CA_CERTS: authorityPath,
    REQUESTS_CA_BUNDLE: authorityPath,
    SSL_CERT_FILE: authorityPath,
  }
}

/** Approves each device code that a program prints, as the person in front of it would. */
function approver(enclave: Enclave): (output: string) => void {
  const approved = new Set<string>()
  return (output) => {
    for (const [code] of output.matchAll(/\b[BCDFGHJKLMNPQRSTVWXZ2345679]{9}\b/g)) {
      if (approved.has(code)) continue
      approved.add(code)
      try {
        enclave.approveDeviceCode(code)
      } catch {
        // A word that only looks like a code.
      }
    }
  }
}

/** This service, serving the metadata of its profile over https to tools on the same machine. */
async function startMetadataHost(enclave: Enclave, env: Readonly<Record<string, string>>, directory: string) {
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
