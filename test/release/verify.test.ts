import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, inject, test } from 'vitest'
import { VERSION } from '../../src/lib/settings/version.ts'
import { useProcesses } from '../support/processes.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const { run } = useProcesses()
const temp = useTemporaryDirectory()
const release = join(inject('releases').clones[0], 'dist/release')
const folder = join(temp.path, 'carried over')
const tarball = `cloud-profile-service-${VERSION}.tgz`
const verify = () => run([join(folder, 'verify.sh')], { command: 'sh', cwd: temp.path })

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  cpSync(release, folder, { recursive: true })
})

test('verify.sh accepts the release', async () => {
  const { code, stdout, stderr } = await verify()
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^All \d\d files match SHA256SUMS\nThere is no signature/)
})

test.each([tarball, 'sbom.cdx.json', 'settings.json', 'README.md', 'provenance.json', 'verify.ps1'])(
  'verify.sh finds one changed bit of %s',
  async (name) => {
    const bytes = readFileSync(join(folder, name))
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    writeFileSync(join(folder, name), bytes)
    expect(await verify()).toMatchObject({ code: 1, stderr: `CHANGED  ${name}\nThese files are not the release.\n` })
  },
)

test('verify.sh finds the planted folders of a guide and of the command', async () => {
  for (const planted of [`cloud-profile-service-${VERSION}/deploy/systemd`, 'package']) {
    mkdirSync(join(folder, planted), { recursive: true })
  }
  writeFileSync(join(folder, 'package/local.settings.json'), '{}')
  expect(await verify()).toMatchObject({
    code: 1,
    stderr: `UNKNOWN  cloud-profile-service-${VERSION}/\nUNKNOWN  package/\nThese files are not the release.\n`,
  })
})
