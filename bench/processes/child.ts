import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Reply } from './respond-to-parent.ts'

/** A process that replies to messages. */
export interface Child<Message> {
  /** Sends a message and waits for the reply. Only one message at a time. */
  request<T>(message: Message): Promise<T>
  stop(): Promise<void>
}

/** Milliseconds to wait for a reply, so that a benchmark never hangs. */
const responseTimeoutMs = 60_000

/**
 * Starts a file of this folder as a child process.
 *
 * @param env The whole environment of the child.
 */
export function startChild<Message extends object>(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Child<Message> {
  const child = fork(new URL(file, import.meta.url), args, {
    env: { ...env },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  return {
    async request<T>(message: Message) {
      child.send(message)
      const signal = AbortSignal.timeout(responseTimeoutMs)
      const [reply] = (await Promise.race([
        once(child, 'message', { signal }),
        ended.then(([code]) => Promise.reject(new Error(`${file} exited with code ${String(code)}`))),
      ])) as [Reply]
      if ('error' in reply) throw new Error(`${file}: ${reply.error}`)
      return reply.value as T
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await ended
    },
  }
}
