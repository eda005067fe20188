import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { VERSION } from '../../src/lib/settings/version.ts'
import { useProcesses, type Ended } from '../support/processes.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const { run } = useProcesses()
const temp = useTemporaryDirectory()
const release = join(inject('releases').clones[0], 'dist/release')
const folder = join(temp.path, 'carried over')
const tarball = `cloud-profile-service-${VERSION}.tgz`

const script = (name: string, ...args: readonly string[]): Promise<Ended> =>
  run([join(folder, name), ...args], { command: 'sh', cwd: temp.path })
const verify = (...args: readonly string[]) => script('verify.sh', ...args)

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  cpSync(release, folder, { recursive: true })
})

/** One bit of a file is another one. */
function damage(name: string): void {
  const bytes = readFileSync(join(folder, name))
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
  writeFileSync(join(folder, name), bytes)
}

describe('verify.sh', () => {
  test('a whole release passes, and it says that nobody signed it', async () => {
    const { code, stdout, stderr } = await verify()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^All 11 files are as SHA256SUMS says\.\nThere is no signature/)
  })

  test.each([tarball, 'sbom.cdx.json', 'settings.json', 'README.md', 'provenance.json'])(
    'one bit of %s is seen, and the file is named',
    async (name) => {
      damage(name)
      expect(await verify()).toMatchObject({ code: 1, stderr: `CHANGED  ${name}\nThis is not what was released.\n` })
    },
  )

  test('a missing file and one that does not belong here are named', async () => {
    rmSync(join(folder, 'egress.json'))
    appendFileSync(join(folder, 'autorun.sh'), '')
    const { code, stderr } = await verify()
    expect(code).toBe(1)
    expect(stderr).toContain('MISSING  egress.json\n')
    expect(stderr).toContain('UNKNOWN  autorun.sh\n')
  })
})

const hasOpenssl = existsSync('/usr/bin/openssl')

describe.skipIf(!hasOpenssl)(`sign.sh${hasOpenssl ? '' : ' [skipped: openssl is not installed]'}`, () => {
  const keyOf = (who: string) => {
    const [key, certificate] = [join(temp.path, `${who}.key`), join(temp.path, `${who}.pem`)]
    const subject = ['-subj', `/CN=${who}`, '-days', '2', '-keyout', key, '-out', certificate]
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject], { stdio: 'ignore' })
    return [key, certificate] as const
  }

  test('a signature by the accreditor passes with his certificate alone', async () => {
    const [key, certificate] = keyOf('accreditor')
    const [, other] = keyOf('somebody')
    expect((await verify(certificate)).stderr).toMatch(/There is no signature/)
    expect(await script('sign.sh', key, 'accreditor.pem')).toMatchObject({ code: 0, stderr: '' })
    expect(await verify('accreditor.pem')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The signature is good, and by that certificate.') as string,
    })
    expect((await verify()).stdout).toContain('nobody checked whose it is')
    expect(await verify(other)).toMatchObject({ code: 1 })
  })

  test('sums that were changed after the signature are seen', async () => {
    const [key, certificate] = keyOf('accreditor')
    await script('sign.sh', key, certificate)
    appendFileSync(join(folder, 'SHA256SUMS'), '\n')
    expect(await verify(certificate)).toMatchObject({ code: 1 })
    expect(await verify()).toMatchObject({ code: 1 })
  })

  test('a release that is not whole is not signed', async () => {
    const [key, certificate] = keyOf('accreditor')
    damage(tarball)
    expect(await script('sign.sh', key, certificate)).toMatchObject({ code: 1 })
    expect(existsSync(join(folder, 'SHA256SUMS.p7s'))).toBe(false)
  })
})
