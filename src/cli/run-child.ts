import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Env } from '../lib/base/env.ts'

/**
 * Runs another command as a child process, which ends when this one does.
 *
 * @param entry The file of its command line. Default is that of this process.
 */
export function runChild(args: readonly string[], env: Env, entry = process.argv[1] ?? ''): ChildProcess {
  return spawn(process.execPath, [...process.execArgv, entry, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env,
  })
}

/** Stops a child and waits for its end. */
export async function stopChild(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
