import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cleanEnvironment } from './clean-environment.ts'

const environment = { PORT: '0', PLATFORM_CLOUD: 'platform-us-gov-secret', AUTH_MODE: 'clientSecret' }

/** A process of `cloud-profile serve`. */
export interface PackagedServer {
  readonly pid: number
  readonly port: number
  stop(): Promise<void>
}

/** Starts the packaged command in a directory, and waits until it listens. */
export async function startPackaged(directory: string): Promise<PackagedServer> {
  const child = spawn(process.execPath, [join(directory, 'dist/cli/cloud-profile.cjs'), 'serve'], {
    cwd: directory,
    env: { ...cleanEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8')
  for await (const text of child.stdout.iterator({ destroyOnReturn: false }) as AsyncIterable<string>) {
    printed += text
    const port = /Server running on http:\/\/localhost:(\d+)/.exec(printed)?.[1]
    if (port === undefined) continue
    child.stdout.resume()
    return { pid: child.pid ?? 0, port: Number(port), stop }
  }
  throw new Error('cloud-profile serve exited before it listened')

  async function stop(): Promise<void> {
    const closed = once(child, 'close')
    child.kill('SIGTERM')
    await closed
  }
}

/** Megabytes of resident memory. */
export async function residentMemory(pid: number): Promise<number> {
  const [, kilobytes = Number.NaN] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
  return (Number(kilobytes) * 1024) / 1_000_000
}
