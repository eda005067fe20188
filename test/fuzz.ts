import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * `node scripts/main.ts fuzz [minutes] [filter…]`: every property of the tests with other inputs than `npm test` takes, for about that
 * long in all. A failure prints its seed; FUZZ_SEED repeats it.
 */
const [minutes = '10', ...filters] = process.argv.slice(2)
const total = Number(minutes) * 60
if (!(total > 0)) {
  process.stderr.write(`minutes must be a positive number, but is ${JSON.stringify(minutes)}\n`)
  process.exit(2)
}
const files = globSync('test/**/*.property.test.ts').filter(
  (file) => filters.length === 0 || filters.some((filter) => file.includes(filter)),
)
const workers = 2
// A file's properties run one after the other; most files have about five.
const seconds = Math.max(1, Math.round((total * workers) / (Math.max(1, files.length) * 5)))
process.stderr.write(`${files.length} files, ${seconds} s a property\n`)
const vitest = join(createRequire(import.meta.url).resolve('vitest/package.json'), '..', 'vitest.mjs')
const options = [
  ...['shared', 'isolated', 'exhaustive'].map((name) => `--project=${name}`),
  `--testTimeout=${(seconds + 120) * 1000}`,
  `--maxWorkers=${workers}`,
]
const { status } = spawnSync(process.execPath, [vitest, 'run', ...options, ...files], {
  stdio: 'inherit',
  env: { ...process.env, FUZZ_SECONDS: String(seconds) },
})
process.exit(status ?? 3)
