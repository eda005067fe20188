import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import { expect, test } from 'vitest'
import { useProcesses } from '../../support/processes.ts'
import { repository } from '../../support/project-copy.ts'
import { useEnclave } from '../../support/use-enclave.ts'

const enclave = useEnclave()
const { run } = useProcesses()
const folder = join(repository, 'node_modules/.cache/prototype')

test.each(['before', 'after'])('a value on Object.prototype %s resolveCloud is never read', async (when) => {
  await esbuild.build({
    entryPoints: ['index', 'discovery'].map((name) => join(repository, `src/lib/${name}.ts`)),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  })
  const child = fileURLToPath(new URL('read-prototype.ts', import.meta.url))
  const env = enclave.cloud.environment('clientSecret', enclave.files)
  const { stdout, stderr } = await run([child, folder, when], { cwd: repository, env })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual({ hasToken: true, names: expect.any(Number) as number, reads: [] })
})
