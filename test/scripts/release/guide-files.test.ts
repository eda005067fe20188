import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { guideFiles } from '../../../scripts/release/package-files.ts'
import { readSources } from '../../../scripts/release/sources.ts'

test('the schema that a profile of the deploy archive names is in the archive', async () => {
  const files = await guideFiles(await readSources())
  const named = [...files].flatMap(([path, content]) => {
    if (!path.endsWith('.json')) return []
    const { $schema: schema } = JSON.parse(Buffer.from(content).toString()) as { readonly $schema?: unknown }
    return typeof schema === 'string' && schema.startsWith('.') ? [posix.join(posix.dirname(path), schema)] : []
  })
  expect(named).not.toEqual([])
  expect(named.filter((path) => !files.has(path))).toEqual([])
})
