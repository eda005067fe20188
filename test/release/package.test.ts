import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { VERSION } from '../../src/lib/settings/version.ts'
import { useProcesses } from '../support/processes.ts'
import { repository } from '../support/project-copy.ts'

const { run } = useProcesses()
const tarball = join(inject('releases').clones[0], `dist/release/cloud-profile-service-${VERSION}.tgz`)

test.each([
  ['publint', ['run', tarball, '--strict']],
  // The resolution of Node 10 knows no exports.
  ['attw', [tarball, '--ignore-rules', 'no-resolution']],
])('%s finds nothing wrong with the package', async (name, args) => {
  const { code, stdout, stderr } = await run([join(repository, 'test/packages/node_modules/.bin', name), ...args])
  expect(code === 0 ? '' : stdout + stderr).toBe('')
})
