import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('.', import.meta.url))
const files = globSync('**/*.test.ts', { cwd: folder }).map((name) => [name, readFileSync(`${folder}/${name}`, 'utf8')])

/** A busy machine takes many times longer than a quiet one, so that a limit in one place is a test that fails by chance. */
const limits: readonly (readonly [string, RegExp])[] = [
  [
    'A test has the limit of test/support/every-run.ts',
    /^ *\}, *\d[\d_]{3,}\)|^ *(test|describe|it)\b.*\{ timeout: /gm,
  ],
  [
    'vi.waitFor and vi.waitUntil wait for one second unless they get `longestWait`',
    /vi\.wait(For|Until)\((?!.*longestWait).*/g,
  ],
  ['A child process gets more than a minute', /^.*\b(run|start|spawn\w*|exec\w*)\(.*\btimeout(Ms)?: \d{1,2}_000\b/gm],
  ['expect.poll waits as long as every-run.ts says', /\.poll\(.*\{ timeout: (\d{1,4}|[1-5]?\d_000)\b/g],
]

test.each(limits)('%s', (_what, pattern) => {
  expect(files.flatMap(([name, text = '']) => (text.match(pattern) ?? []).map((found) => `${name}: ${found}`))).toEqual(
    [],
  )
})
