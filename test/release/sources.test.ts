import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { VERSION } from '../../src/lib/settings/version.ts'
import { useProcesses } from '../support/processes.ts'
import { repository } from '../support/project-copy.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const { run } = useProcesses()
const temp = useTemporaryDirectory()
const clone = join(temp.path, 'clone')
const release = () => run(['scripts/main.ts', 'release'], { cwd: clone })
const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: clone, encoding: 'utf8' })
const secret = 'Planted-Secret-7c1f'

/** A package of the bundle, and one that only writes archives. */
const changeable = new Set(['prom-client', 'fflate'])

/** A clone whose packages are links, except for those that may be changed. */
beforeEach(() => {
  rmSync(clone, { recursive: true, force: true })
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', repository, clone], { stdio: 'inherit' })
  const packages = join(clone, 'node_modules')
  mkdirSync(packages)
  for (const name of readdirSync(join(repository, 'node_modules'))) {
    const source = join(repository, 'node_modules', name)
    if (changeable.has(name)) cpSync(source, join(packages, name), { recursive: true })
    else symlinkSync(source, join(packages, name))
  }
})

describe('A release is made from the commit', () => {
  test('files that git ignores are not in it', async () => {
    appendFileSync(join(clone, '.git/info/exclude'), '*.log\nlocal.settings.json\n')
    for (const path of [
      'deploy/functions/local.settings.json',
      'docs/session.log',
      'cloud-profiles/local.settings.json',
    ]) {
      writeFileSync(join(clone, path), secret)
    }
    expect(await release()).toMatchObject({ code: 0, stderr: expect.not.stringContaining('dirty') as string })
    const folder = join(clone, 'dist/release')
    expect(readFileSync(join(folder, 'provenance.json'), 'utf8')).toContain('"tree": "clean"')
    for (const name of [`cloud-profile-service-${VERSION}-deploy.tar.gz`, `cloud-profile-service-${VERSION}.tgz`]) {
      const archive = gunzipSync(readFileSync(join(folder, name))).toString('latin1')
      expect(archive).not.toContain(secret)
      expect(archive).not.toMatch(/local\.settings\.json\0|session\.log/)
    }
    expect(readFileSync(join(folder, `cloud-profile-service-${VERSION}-functions.zip`), 'latin1')).not.toContain(
      'local.settings',
    )
  })

  test('a change that git was told to overlook is named', async () => {
    git('update-index', '--assume-unchanged', 'host.json')
    git('update-index', '--skip-worktree', 'docs/architecture.md')
    appendFileSync(join(clone, 'host.json'), '\n')
    appendFileSync(join(clone, 'docs/architecture.md'), '\n')
    expect(git('status', '--porcelain')).toBe('')
    // Another commit stands in for this one, with a file that is only in the index.
    writeFileSync(join(clone, 'deploy/planted.service'), secret)
    git('add', 'deploy/planted.service')
    git('-c', 'user.name=x', '-c', 'user.email=x@x.example', 'commit', '--quiet', '-m', 'planted')
    git('replace', 'HEAD~1', 'HEAD')
    git('update-ref', 'HEAD', 'HEAD~1')
    expect(git('status', '--porcelain')).toBe('')
    const changed = 'deploy/planted.service, docs/architecture.md, host.json'
    expect((await release()).stderr).toContain(`dirty, as the provenance states: ${changed}\n`)
    const archive = readFileSync(join(clone, 'dist/release', `cloud-profile-service-${VERSION}-deploy.tar.gz`))
    expect(gunzipSync(archive).toString('latin1')).not.toContain(secret)
  })

  test('a repository that git cannot read is refused, because files on the disk may be others', async () => {
    rmSync(join(clone, '.git/HEAD'))
    expect(await release()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The commit of this repository cannot be read') as string,
    })
  })

  test('a file of the build that the commit lacks is refused', async () => {
    appendFileSync(join(clone, '.git/info/exclude'), 'extra.ts\n')
    writeFileSync(join(clone, 'src/lib/extra.ts'), 'globalThis.name = "x"\nexport {}\n')
    appendFileSync(join(clone, 'src/main.ts'), "import './lib/extra.ts'\n")
    expect(await release()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('src/lib/extra.ts: the build uses') as string,
    })
    expect(readdirSync(join(clone, 'dist'))).not.toContain('release')
  })
})

describe('A release has the packages of the lockfile', () => {
  test.each([
    [
      'a changed file',
      'prom-client',
      (folder: string) => appendFileSync(join(folder, 'index.js'), `\nexports.planted = '${secret}'\n`),
      'index.js',
    ],
    [
      'a missing file of a package that writes archives',
      'fflate',
      (folder: string) => rmSync(join(folder, 'LICENSE')),
      'LICENSE',
    ],
    [
      'an added file that the build uses',
      'prom-client',
      (folder: string) => {
        writeFileSync(join(folder, 'planted.js'), `exports.planted = '${secret}'\n`)
        appendFileSync(join(folder, 'index.js'), "\nexports.planted = require('./planted.js')\n")
      },
      'planted.js',
    ],
  ])('%s is refused by name', async (_what, name, change, file) => {
    change(join(clone, 'node_modules', name))
    const { code, stderr } = await release()
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`node_modules/${name}/${file}`) as string,
    })
    expect(readdirSync(join(clone, 'dist'))).not.toContain('release')
  })
})
