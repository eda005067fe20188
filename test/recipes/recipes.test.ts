import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { useProcesses } from '../support/processes.ts'
import { useEnclave } from '../support/use-enclave.ts'

const recipes = fileURLToPath(new URL('../../docs/recipes', import.meta.url))
const byName = fileURLToPath(new URL('./library-by-name.ts', import.meta.url))
const enclave = useEnclave()
const { run } = useProcesses()

/** The role of the enclave that a recipe's own request reaches. */
const roles = { 'storage.ts': 'storage', 'key-vault.ts': 'vault', 'resource-manager.ts': 'resource-manager' } as const

test.each(Object.entries(roles))('%s lists something with a token that the profile asked for', async (name, role) => {
  const { cloud, files } = enclave
  const { code, stdout, stderr } = await run(['--import', byName, `${recipes}/${name}`, 'myaccount'], {
    env: {
      ...cloud.environment('clientSecret', files),
      STORAGE_URL: cloud.storageEndpoint,
      KEY_VAULT_URL: cloud.vaultEndpoint,
    },
  })
  expect(stderr.replaceAll(/^\(.*\n/gm, '')).toBe('')
  expect(code).toBe(0)
  expect(stdout.trim()).not.toBe('')
  expect(cloud.requests.some((request) => request.role === role && request.status === 200)).toBe(true)
  expect(cloud.foreign.received).toEqual([])
})

test('every recipe is run, and named on their page', () => {
  const files = globSync(`${recipes}/*.ts`).map((path) => basename(path))
  expect(files.toSorted()).toEqual(Object.keys(roles).toSorted())
  const page = readFileSync(`${recipes}/README.md`, 'utf8')
  for (const file of files) expect(page).toContain(`(${file})`)
})
