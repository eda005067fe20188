import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Answer } from './answer-parent.ts'

/** A process that answers messages. */
export interface Child<Message> {
  /** Sends one message and waits for its answer. One at a time. */
  ask<T>(message: Message): Promise<T>
  stop(): Promise<void>
}

/** Milliseconds until a child that does not answer is given up: a benchmark must never hang. */
const answerTimeoutMs = 60_000

/**
 * Starts a file of this folder as a child process.
 *
 * @param env Its whole environment.
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
    async ask<T>(message: Message) {
      child.send(message)
      const signal = AbortSignal.timeout(answerTimeoutMs)
      const [answer] = (await Promise.race([
        once(child, 'message', { signal }),
        ended.then(([code]) => Promise.reject(new Error(`${file} exited with code ${String(code)}`))),
      ])) as [Answer]
      if ('error' in answer) throw new Error(`${file}: ${answer.error}`)
      return answer.value as T
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await ended
    },
  }
}
