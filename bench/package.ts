import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Apps } from './apps.ts'
import { cleanEnvironment } from './clean-environment.ts'
import { interleave, median } from './interleave.ts'
import { runProcess } from './processes/run-process.ts'
import type { Row } from './row.ts'

const rounds = 20
const startRounds = 20
/** Milliseconds without a request after which a service counts as idle. */
const idleAfter = 2000
const environment = { PORT: '0', PLATFORM_CLOUD: 'platform-us-gov-secret', AUTH_MODE: 'clientSecret' }

/** The command of the package as whole processes: a smoke test, and the server from its start until it listens. */
export async function benchPackage({ packaged }: Apps): Promise<Row[]> {
  const command = join(packaged, 'dist/cli/cloud-profile.cjs')
  const run = async (...args: readonly string[]) => (await runProcess(args, cleanEnvironment())).duration
  const { smokeTest, nothing } = await interleave(rounds, {
    smokeTest: () => run(command, 'smoke-test', '--all'),
    nothing: () => run('-e', '0'),
  })
  const { serve, bare } = await interleave(startRounds, {
    serve: () => start(process.execPath, [command, 'serve'], packaged),
    bare: () => run('-e', '0'),
  })
  const memory = await interleave(3, { serve: () => idleMemory(process.execPath, [command, 'serve'], packaged) })
  return [
    {
      measure: 'cloud-profile smoke-test --all: whole process',
      value: median(smokeTest),
      unit: 'ms',
      reference: { name: 'node -e 0', value: median(nothing) },
      target: { atMost: 2 },
      n: rounds,
      note: 'The command of the package, as it is delivered.',
    },
    {
      measure: 'cloud-profile serve: start to listening',
      value: median(serve),
      unit: 'ms',
      reference: { name: 'node -e 0', value: median(bare) },
      target: { atMost: 2.5 },
      n: startRounds,
      note: 'From before the process is started until it has printed that it listens.',
    },
    {
      measure: 'cloud-profile serve: resident memory when idle',
      value: median(memory.serve),
      unit: 'MB',
      target: { atMost: 62 },
      n: 3,
      note: `From the operating system, ${idleAfter / 1000} s after the start, without a request.`,
    },
  ]
}

async function start(command: string, args: readonly string[], directory: string): Promise<number> {
  const started = performance.now()
  const child = await listening(command, args, directory)
  const duration = performance.now() - started
  await stop(child)
  return duration
}

async function idleMemory(command: string, args: readonly string[], directory: string): Promise<number> {
  const child = await listening(command, args, directory)
  try {
    await sleep(idleAfter)
    const [, kilobytes = Number.NaN] =
      /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${child.pid}/status`, 'utf8')) ?? []
    return (Number(kilobytes) * 1024) / 1_000_000
  } finally {
    await stop(child)
  }
}

async function listening(command: string, args: readonly string[], cwd: string): Promise<ChildProcess> {
  const child = spawn(command, args, {
    cwd,
    env: { ...cleanEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8')
  for await (const text of child.stdout.iterator({ destroyOnReturn: false }) as AsyncIterable<string>) {
    printed += text
    if (printed.includes('Server running')) {
      child.stdout.resume()
      return child
    }
  }
  throw new Error(`${command} ${args.join(' ')} exited before it listened`)
}

async function stop(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close')
  child.kill('SIGTERM')
  await closed
}
