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

test.each(['functions', 'kubernetes', 'container', 'systemd', 'on-premises'])(
  'the guide for %s fits one page and names what is there',
  (name) => {
    const guide = readFileSync(join(repository, `docs/deploy-${name}.md`), 'utf8')
    expect(guide.split('\n').length).toBeLessThan(150)
    const headings = [...guide.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)
    expect(headings).toEqual(
      expect.arrayContaining(
        name === 'on-premises'
          ? ['Before you start', 'Azure Local with disconnected operations', 'Azure Stack Hub']
          : ['Before you start', 'Install', 'Check', 'Troubleshoot', 'Upgrade and roll back'],
      ),
    )
    const named = [...guide.matchAll(/(?<!test\/)\bdeploy\/[\w/.-]*\w/g)].map(([path]) => path)
    // That one is the reader's own.
    const missing = named.filter((path) => path !== 'deploy/kubernetes/enclave' && !existsSync(join(repository, path)))
    expect(missing).toEqual([])
    expect(readFileSync(join(repository, 'README.md'), 'utf8')).toContain(`docs/deploy-${name}.md`)
  },
)
