import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { namespaceArguments, refusalOfNamespaces } from '../support/namespace.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const directory = useTemporaryDirectory()
const refusal = refusalOfNamespaces({})
if (refusal !== undefined) console.warn(`The test of lookups is skipped: ${refusal}`)

test.skipIf(refusal !== undefined)('a token does not wait for probes whose names get no response', () => {
  const program = new URL('lookup-inside.ts', import.meta.url).pathname
  const args = namespaceArguments(directory.path, [process.execPath, program])
  const { stdout, stderr } = spawnSync('unshare', args, { encoding: 'utf8', timeout: 60_000 })
  expect({ stderr, ms: Number(stdout || 'NaN') }).toEqual({ stderr: '', ms: expect.any(Number) as number })
  // A lookup without a response takes 4 s here, by the settings of the C library.
  expect(Number(stdout)).toBeLessThan(2000)
})
