import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

export interface ProcessRun {
  /** Milliseconds from the start of the process to its end. */
  readonly duration: number
  readonly stdout: string
  /** The output to file descriptor 3. */
  readonly report: string
}

/** Milliseconds, so that a benchmark never hangs. */
const timeout = 60_000

/**
 * Runs Node with the arguments, as a whole process.
 *
 * @throws for another exit code than 0, because a process that fails fast must not look fast.
 */
export async function runProcess(args: readonly string[], env: Readonly<Record<string, string>>): Promise<ProcessRun> {
  const started = performance.now()
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe', 'pipe'], timeout })
  const [, out, err, extra] = child.stdio
  const outputs = Promise.all([out, err, extra].map((stream) => text(stream as NodeJS.ReadableStream)))
  const [code] = (await once(child, 'exit')) as [number | null]
  const duration = performance.now() - started
  const [stdout = '', stderr = '', report = ''] = await outputs
  if (code !== 0) throw new Error(`node ${args.slice(0, 4).join(' ')} exited with code ${String(code)}\n${stderr}`)
  return { duration, stdout, report }
}
