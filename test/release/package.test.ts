import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { VERSION } from '../../src/lib/settings/version.ts'
import { loadPackage } from '../support/some-packages.ts'

const tarballOf = (name: string) => join(inject('releases').clones[0], `dist/release/${name}-${VERSION}.tgz`)

describe.each(['cloud-profile-service', 'cloud-profile-enclave'])('%s', (name) => {
  test('its types match what is loaded, however it is imported', async () => {
    const { checkPackage, createPackageFromTarballData } = await loadPackage<{
      createPackageFromTarballData: (data: Uint8Array) => object
      checkPackage: (
        data: object,
      ) => Promise<{ readonly types: unknown; readonly problems: readonly { kind: string }[] }>
    }>('@arethetypeswrong/core')
    const { types, problems } = await checkPackage(createPackageFromTarballData(readFileSync(tarballOf(name))))
    expect(types).toMatchObject({ kind: 'included' })
    // The resolution of Node 10 knows no exports.
    expect(problems.filter(({ kind }) => kind !== 'NoResolution')).toEqual([])
  })
})
