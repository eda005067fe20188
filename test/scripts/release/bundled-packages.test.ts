import { expect, test } from 'vitest'
import { filesOfPackages } from '../../../scripts/release/bundled-packages.ts'

test('the files of packages include those of packages that they load, each once', async () => {
  const files = await filesOfPackages(['@azure/identity', '@azure/msal-node'])
  expect(files).toEqual(
    expect.arrayContaining([
      'node_modules/@azure/identity/package.json',
      'node_modules/@azure/msal-node/package.json',
      'node_modules/@azure/msal-common/package.json',
    ]),
  )
  expect(new Set(files).size).toBe(files.length)
})
