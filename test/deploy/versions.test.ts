import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { VERSION } from '../../src/lib/settings/version.ts'
import { repository } from '../support/project-copy.ts'

const deploy = join(repository, 'deploy')
const read = (path: string) => readFileSync(join(deploy, path), 'utf8')

test.each([
  ['container/Dockerfile', /^ARG VERSION=(.*)$/m],
  ['kubernetes/base/kustomization.yaml', /newTag: (.*)/],
  ['kubernetes/base/kustomization.yaml', /app\.kubernetes\.io\/version: (.*)/],
  ['kubernetes/example/kustomization.yaml', /newTag: (.*)/],
])('%s is of this version', (path, pattern) => {
  expect(pattern.exec(read(path))?.[1]).toBe(VERSION)
})
