import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { VERSION } from '../../../src/lib/settings/version.ts'

test('the version that the service shows is that of the package', async () => {
  const text = await readFile(new URL('../../../package.json', import.meta.url), 'utf8')
  expect((JSON.parse(text) as { readonly version: string }).version).toBe(VERSION)
})
