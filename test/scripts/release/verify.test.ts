import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, chmodSync, linkSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { repository } from '../../support/project-copy.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

const temp = useTemporaryDirectory()
const folder = join(temp.path, 'air gapped')
const at = (name: string) => join(folder, name)
const sums = () => readFileSync(at('SHA256SUMS'), 'utf8')

const script = (name: string) => readFileSync(join(repository, 'scripts/release/files', name), 'utf8')
/** A small release with the real scripts. */
const releaseFiles: Readonly<Record<string, string>> = {
  'README.md': '# A release\n',
  'cloud-profile-service-2.0.0.tgz': 'bytes\n',
  'settings.json': '{}\n',
  'sign.sh': script('sign.sh'),
  'verify.sh': script('verify.sh'),
}
const sumLine = (name: string, content = releaseFiles[name] ?? '') =>
  `${createHash('sha256').update(content).digest('hex')}  ${name}\n`

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, content] of Object.entries(releaseFiles)) writeFileSync(at(name), content)
  const names = Object.keys(releaseFiles)
  writeFileSync(at('SHA256SUMS'), names.map((name) => sumLine(name)).join(''))
})

function replaceByLink(name: string): void {
  renameSync(at(name), join(temp.path, name))
  symlinkSync(join(temp.path, name), at(name))
}

const run = (name: string, args: readonly string[], options: object = {}) =>
  spawnSync('sh', [at(name), ...args], { cwd: temp.path, encoding: 'utf8', ...options })
const verify = (...args: readonly string[]) => run('verify.sh', args)

describe.skipIf(process.platform === 'win32')('verify.sh', () => {
  test('accepts the folder as it was released', () => {
    expect(verify()).toMatchObject({
      status: 0,
      stderr: '',
      stdout: /^All 5 files match SHA256SUMS\nThere is no signature.*\nVersion: cloud-profile-service 2\.0\.0\n$/,
    })
  })

  test('needs no particular working directory, and ignores CDPATH', () => {
    const env = { PATH: process.env['PATH'], CDPATH: '/tmp:/' }
    expect(spawnSync('sh', ['verify.sh'], { cwd: folder, env }).status).toBe(0)
    expect(spawnSync('sh', ['air gapped/verify.sh'], { cwd: temp.path, env }).status).toBe(0)
  })

  test.each<[string, () => void, string]>([
    ['a changed file', () => appendFileSync(at('settings.json'), ' '), 'CHANGED  settings.json'],
    ['a missing file', () => rmSync(at('settings.json')), 'MISSING  settings.json'],
    ['an added file', () => writeFileSync(at('autorun.sh'), ''), 'UNKNOWN  autorun.sh'],
    ['an added hidden file', () => writeFileSync(at('.profile'), ''), 'UNKNOWN  .profile'],
    ['an added file that begins with two dots', () => writeFileSync(at('..x'), ''), 'UNKNOWN  ..x'],
    ['an added file that begins with a dash', () => writeFileSync(at('-rf'), ''), 'UNKNOWN  -rf'],
    ['an added file with a line break', () => writeFileSync(at('a\nREADME.md'), ''), 'UNKNOWN  a?README.md'],
    ['an added file named *', () => writeFileSync(at('*'), ''), 'UNKNOWN  ?'],
    ['an escape sequence', () => writeFileSync(at('\u001b[2J'), ''), 'UNKNOWN  ??2J'],
    ['an added folder', () => mkdirSync(at('package/deploy'), { recursive: true }), 'UNKNOWN  package/'],
    ['an added link to a folder', () => symlinkSync('/tmp', at('deploy')), 'LINK     deploy'],
    ['a listed file that is a link to its content', () => replaceByLink('settings.json'), 'LINK     settings.json'],
    ['a named pipe', () => void execFileSync('mkfifo', [at('pipe')]), 'UNKNOWN  pipe'],
  ])('refuses %s, and names it', (_name, change, line) => {
    change()
    const { status, stderr } = verify()
    expect(status).toBe(1)
    expect(stderr.split('\n')).toEqual(expect.arrayContaining([line, 'These files are not the release.']))
    expect(stderr).not.toContain('\u001b')
  })

  test.each<[string, () => string | Buffer]>([
    ['without a final line break', () => sums().trimEnd()],
    ['without lines', () => ''],
    ['with line ends of Windows', () => sums().replaceAll('\n', '\r\n')],
    ['with a NUL', () => sums().replace('  settings', '  \0settings')],
    ['with a file twice', () => sums() + sumLine('settings.json')],
    ['with a file twice in other letter case', () => sums() + sumLine('readme.md')],
    ['with itself in small letters', () => sums() + sumLine('sha256sums', '')],
    ['with a short sum', () => sums().replace(/^./, '')],
    ['with a path to another folder', () => sums() + sumLine('../outside.json', 'x')],
    ['with an option', () => sums() + sumLine('-c', '')],
    ['with a space in a name', () => sums() + sumLine('a b', '')],
    ['with itself', () => sums() + sumLine('SHA256SUMS', '')],
  ])('refuses SHA256SUMS %s', (_name, change) => {
    for (const name of ['a b', '.profile', '-c']) writeFileSync(at(name), '')
    writeFileSync(at('SHA256SUMS'), change())
    for (const name of ['a b', '.profile', '-c']) rmSync(at(name))
    expect(verify()).toMatchObject({ status: 1, stderr: /^SHA256SUMS is not valid/ })
  })

  test('refuses SHA256SUMS that is a link or missing', () => {
    replaceByLink('SHA256SUMS')
    expect(verify()).toMatchObject({ status: 1, stderr: 'SHA256SUMS is not a file here.\n' })
    rmSync(at('SHA256SUMS'))
    expect(verify()).toMatchObject({ status: 1, stderr: 'SHA256SUMS is not a file here.\n' })
  })

  /** A user whom permissions bind: root may read everything. */
  const bound = process.getuid?.() === 0 ? { uid: 65_534 } : {}
  const isBound = spawnSync('true', [], bound).status === 0
  const unbound = isBound ? '' : ' [skipped: this process cannot become another user]'

  test.skipIf(!isBound)(`neither an unlisted folder nor an unreadable file passes${unbound}`, () => {
    for (const path of [temp.path, folder, at('verify.sh'), at('README.md')]) chmodSync(path, 0o755)
    const verifyAsBound = () => run('verify.sh', [], bound)
    chmodSync(at('settings.json'), 0)
    expect(verifyAsBound()).toMatchObject({ status: 1, stderr: /^UNREADABLE {2}settings\.json\n/ })
    chmodSync(at('settings.json'), 0o644)
    chmodSync(folder, 0o311)
    expect(verifyAsBound()).toMatchObject({ status: 1, stderr: 'This folder cannot be listed.\n' })
    chmodSync(folder, 0o755)
    // A shell that expands no names sees none either.
    expect(spawnSync('sh', ['-f', at('verify.sh')]).status).toBe(1)
  })

  test('follows no link to a signature', () => {
    writeFileSync(at('SHA256SUMS.p7s'), 'x')
    replaceByLink('SHA256SUMS.p7s')
    expect(verify()).toMatchObject({ status: 1, stderr: /LINK {5}SHA256SUMS\.p7s/ })
  })
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

describe.skipIf(!hasOpenssl)(`sign.sh${hasOpenssl ? '' : ' [skipped: openssl is not installed]'}`, () => {
  function createKey(options: readonly string[] = ['rsa:2048']) {
    const [key, certificate] = [join(temp.path, 'signer.key'), join(temp.path, 'signer.pem')]
    const subject = ['-subj', '/CN=signer', '-days', '2', '-keyout', key, '-out', certificate]
    execFileSync('openssl', ['req', '-x509', '-newkey', ...options, '-nodes', ...subject], { stdio: 'ignore' })
    return [key, certificate] as const
  }
  const sign = (...args: readonly string[]) => run('sign.sh', args)

  test('signs the release, and verify.sh accepts it with the certificate', () => {
    const [key, certificate] = createKey()
    expect(sign(key, certificate)).toMatchObject({ status: 0, stderr: '' })
    expect(verify(certificate)).toMatchObject({ status: 0, stderr: '' })
    writeFileSync(at('planted'), '')
    expect(verify(certificate)).toMatchObject({ status: 1 })
  })

  test.each<[string, readonly string[], 0 | 1]>([
    ['a web server', ['extendedKeyUsage=serverAuth'], 1],
    ['encryption', ['keyUsage=keyEncipherment'], 1],
    ['mail', ['extendedKeyUsage=emailProtection,clientAuth'], 0],
    ['code', ['extendedKeyUsage=codeSigning', 'keyUsage=digitalSignature'], 0],
    ['any purpose', [], 0],
  ])('a certificate for %s: the authority of both is trusted, its purpose decides', (_what, extensions, status) => {
    const [authorityKey, authority] = createKey()
    const [key, certificate, extensionFile] = ['leaf.key', 'leaf.pem', 'leaf.cnf'].map((name) => join(temp.path, name))
    writeFileSync(extensionFile ?? '', ['subjectKeyIdentifier=hash', ...extensions].join('\n'))
    const script = `openssl req -new -newkey rsa:2048 -nodes -subj '/O=Enclave/CN=leaf' -keyout "$1" |
      openssl x509 -req -days 2 -CA "$2" -CAkey "$3" -CAcreateserial -extfile "$4" -out "$5"`
    const words = [key, authority, authorityKey, extensionFile, certificate].map(String)
    execFileSync('sh', ['-c', script, '-', ...words], { stdio: 'ignore' })
    expect(sign(String(key), String(certificate)).status).toBe(0)
    for (const args of [[], [authority], [String(certificate)]]) {
      const verified = verify(...args)
      const text = [
        /\nSigner: CN=leaf,O=Enclave\nSHA-256 of its certificate: [\dA-F:]{95}\nVersion: cloud-profile-service 2\.0\.0\n$/,
        /^The certificate of the signer is not for signatures/m,
      ][status]
      expect([verified.status, verified.stdout + verified.stderr]).toEqual([status, text])
    }
  })

  test('that fails leaves the folder as it was', () => {
    const [key, certificate] = createKey()
    expect(sign(key, certificate).status).toBe(0)
    const before = readFileSync(at('SHA256SUMS.p7s'))
    truncateSync(key, 10)
    expect(sign(key, certificate).status).not.toBe(0)
    expect(readdirSync(folder)).toHaveLength(7)
    expect(readFileSync(at('SHA256SUMS.p7s'))).toEqual(before)
    expect(verify(certificate).status).toBe(0)
  })

  test('is not run for a folder with another file', () => {
    const [key, certificate] = createKey()
    linkSync(at('README.md'), at('copy.md'))
    expect(sign(key, certificate).status).toBe(1)
    expect(readdirSync(folder)).not.toContain('SHA256SUMS.p7s')
  })
})
