import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { VERSION } from '../../src/lib/settings/version.ts'
import { repository } from '../support/project-copy.ts'

const deploy = join(repository, 'deploy')
const read = (path: string) => readFileSync(join(deploy, path), 'utf8')

test.each([
  ['container/Dockerfile', /^ARG VERSION=(.*)$/m],
  ['kubernetes/base/kustomization.yaml', /newTag: (.*)/],
  ['kubernetes/base/kustomization.yaml', /app\.kubernetes\.io\/version: (.*)/],
  ['kubernetes/example/kustomization.yaml', /newTag: (.*)/],
  ['zarf/zarf.yaml', /^ {2}version: (.*)$/m],
  ['zarf/zarf.yaml', /- cloud-profile-service:(.*)/],
])('%s is of this version', (path, pattern) => {
  expect(pattern.exec(read(path))?.[1]).toBe(VERSION)
})

test('the air-gap package takes folders that are there', () => {
  const { components } = parse(read('zarf/zarf.yaml')) as {
    components: { manifests: { kustomizations: string[] }[] }[]
  }
  const folders = components.flatMap(({ manifests }) => manifests.flatMap(({ kustomizations }) => kustomizations))
  expect(folders.length).toBeGreaterThan(0)
  expect(folders.filter((path) => !existsSync(join(deploy, 'zarf', path, 'kustomization.yaml')))).toEqual([])
})
