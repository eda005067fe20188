import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Env } from './terminal.ts'

/** Another command of this command line in a process of its own, which ends when this one does, however that ends. */
export function runChild(args: readonly string[], env: Env): ChildProcess {
  return spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env,
  })
}

/** Asks a child to stop, and waits until it has. */
export async function stopChild(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
