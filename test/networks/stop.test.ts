import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { refusal, runInside } from './run-scene.ts'

const program = fileURLToPath(new URL('stop-inside.ts', import.meta.url))
const network = { files: { 'resolv.conf': 'nameserver 127.0.0.1\noptions timeout:10 attempts:2\n' } }
const ended = { code: 0, endedBy: null }

describe.skipIf(refusal !== undefined)(`A stop while a DNS server is silent ${refusal ?? ''}`, () => {
  test.each([
    ['a plain process', 'node', 'SIGTERM', ended],
    ['a plain process after Ctrl-C', 'node', 'SIGINT', ended],
    // npm passes the signal on, waits, and then ends by it.
    ['a child of npm', 'npm', 'SIGTERM', { code: null, endedBy: 'SIGTERM' }],
    ['process 1 of a container', 'unshare', 'SIGTERM', ended],
  ])('takes 3 seconds at most for %s', async (_what, starter, signal, expected) => {
    const { ms, ...end } = (await runInside(program, { starter, signal }, network)) as { ms: number }
    expect(end).toEqual(expected)
    // A busy machine takes longer. The lookup takes 20 seconds.
    expect(ms).toBeLessThan(6000)
  })
})
