import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What the callers of a service saw. */
export interface LoadResult {
  readonly requests: number
  readonly byStatus: Readonly<Record<string, number>>
  /** Answers with a status of 500 or more, and what broke off. */
  readonly wrong: readonly string[]
}

const paths = [
  '/',
  '/api/profile',
  '/api/diagnostics',
  '/api/diagnostics?explain=true',
  '/api/diagnostics?history=true',
  '/api/health',
  '/api/metrics',
  '/api/nothing-here',
  '/api/profile?x=%00%ff%2e%2e',
] as const

/** Health answers 503 by contract when the profile is no longer valid, which a soak never makes it. */
const fine = (status: number) => status < 500

/**
 * Calls a service from a few places at once until it is told to stop: ordinary requests, HEAD, unexpected bodies,
 * requests that are given up, and half a request on a raw socket.
 *
 * @param onText Is shown every answer's text.
 */
export async function runLoad(
  port: number,
  signal: AbortSignal,
  onText: (text: string, path: string) => void,
): Promise<LoadResult> {
  const byStatus: Record<string, number> = {}
  const wrong: string[] = []
  let requests = 0
  const count = (what: string) => {
    requests++
    byStatus[what] = (byStatus[what] ?? 0) + 1
  }

  const callers = Array.from({ length: 6 }, async (_, caller) => {
    for (let turn = caller; !signal.aborted; turn++) {
      const path = paths[turn % paths.length] ?? '/'
      try {
        await call(path, turn)
      } catch (error) {
        if (!signal.aborted) {
          count('broken off')
          wrong.push(`${path}: ${String(error)}`)
        }
      }
      await sleep(20)
    }
  })

  async function call(path: string, turn: number): Promise<void> {
    const url = `http://127.0.0.1:${port}${path}`
    if (turn % 23 === 0) return halfRequest(port)
    if (turn % 19 === 0) {
      await fetch(url, { signal: AbortSignal.timeout(1) }).catch(() => undefined)
      return count('given up')
    }
    const method = turn % 11 === 0 ? 'HEAD' : turn % 13 === 0 ? 'POST' : 'GET'
    const answer = await fetch(url, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(60_000),
      ...(method === 'POST' ? { body: 'x'.repeat(100_000) } : {}),
    })
    onText(await answer.text(), path)
    count(String(answer.status))
    if (!fine(answer.status)) wrong.push(`${method} ${path}: ${answer.status}`)
  }

  await Promise.all(callers)
  return { requests, byStatus, wrong }
}

/** Opens a connection, sends the start of a request, and goes away. */
async function halfRequest(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nX-Half: ')
  await sleep(5)
  socket.destroy()
}
