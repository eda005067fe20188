import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * `npm run test:busy [-- FILTER…]`: the tests twice in a row beside eight processes that never rest. A test that asserts wall time, or waits for
 * time instead of an event, fails here first.
 */
const filters = process.argv.slice(2)
const vitest = join(createRequire(import.meta.url).resolve('vitest/package.json'), '..', 'vitest.mjs')
const busy = Array.from({ length: 8 }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }))
const rest = () => {
  for (const child of busy) child.kill('SIGKILL')
}
process.once('exit', rest)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))

let status: number | null = 0
for (let round = 1; round <= 2 && status === 0; round += 1) {
  process.stderr.write(`Round ${round} of 2, beside ${busy.length} busy processes\n`)
  const tests = spawn(process.execPath, [vitest, 'run', ...filters], { stdio: 'inherit' })
  process.once('exit', () => tests.kill())
  ;[status] = (await once(tests, 'exit')) as [number | null]
}
process.exit(status ?? 3)
