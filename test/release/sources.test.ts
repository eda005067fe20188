import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { useProcesses } from '../support/processes.ts'
import { repository } from '../support/project-copy.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const { run } = useProcesses()
const temp = useTemporaryDirectory()
const clone = join(temp.path, 'clone')
const release = () => run(['scripts/main.ts', 'release'], { cwd: clone })
const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: clone, encoding: 'utf8' })

/** What a release would say of its sources, and the names of the guides that it would take. */
const readCommit = `
const { readSources } = await import('./scripts/release/sources.ts')
const { renderProvenance } = await import('./scripts/release/documents.ts')
const { guideFiles } = await import('./scripts/release/package-files.ts')
const sources = await readSources()
const { predicate } = JSON.parse(await renderProvenance(new Map(), [], sources))
const guides = [...(await guideFiles(sources)).keys()].join()
process.stdout.write(JSON.stringify({ parameters: predicate.buildDefinition.internalParameters, guides }))
`

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
  test('a change that git was told to overlook is named', async () => {
    git('update-index', '--assume-unchanged', 'host.json')
    git('update-index', '--skip-worktree', 'docs/architecture.md')
    appendFileSync(join(clone, 'host.json'), '\n')
    appendFileSync(join(clone, 'docs/architecture.md'), '\n')
    expect(git('status', '--porcelain')).toBe('')
    // Another commit stands in for this one, with a file that is only in the index.
    writeFileSync(join(clone, 'deploy/planted.service'), '')
    git('add', 'deploy/planted.service')
    git('-c', 'user.name=x', '-c', 'user.email=x@x.example', 'commit', '--quiet', '-m', 'planted')
    git('replace', 'HEAD~1', 'HEAD')
    git('update-ref', 'HEAD', 'HEAD~1')
    expect(git('status', '--porcelain')).toBe('')
    const { stdout } = await run(['--input-type=module', '--eval', readCommit], { cwd: clone })
    const { parameters, guides } = JSON.parse(stdout) as { readonly parameters: object; readonly guides: string }
    const changedFiles = ['deploy/planted.service', 'docs/architecture.md', 'host.json']
    expect(parameters).toEqual({ tree: 'dirty', changedFiles })
    expect(guides).toContain('deploy/systemd')
    expect(guides).not.toContain('planted')
  })

  test('a repository that git cannot read is refused, because files on the disk may be others', async () => {
    rmSync(join(clone, '.git/HEAD'))
    expect(await release()).toMatchObject({ code: 2, stderr: /the commit of this repository cannot be read/ })
  })

  test('a file of the build that the commit lacks is refused', async () => {
    appendFileSync(join(clone, '.git/info/exclude'), 'extra.ts\n')
    writeFileSync(join(clone, 'src/lib/extra.ts'), 'globalThis.name = "x"\nexport {}\n')
    appendFileSync(join(clone, 'src/main.ts'), "import './lib/extra.ts'\n")
    const { code, stderr } = await release()
    expect(code).toBe(2)
    expect(stderr).toContain('dirty, and the provenance says so: src/main.ts\n')
    expect(stderr).toContain('src/lib/extra.ts: the build uses')
    expect(readdirSync(join(clone, 'dist'))).not.toContain('release')
  })
})

test('A release has the packages of the lockfile: each changed, missing and added file is named', async () => {
  const packages = join(clone, 'node_modules')
  // A package that the build uses, and one that writes archives.
  appendFileSync(join(packages, 'prom-client/index.js'), "\nexports.planted = require('./planted.js')\n")
  writeFileSync(join(packages, 'prom-client/planted.js'), 'exports.planted = 1\n')
  rmSync(join(packages, 'fflate/LICENSE'))
  const { code, stderr } = await release()
  expect(code).toBe(2)
  for (const file of ['prom-client/index.js', 'prom-client/planted.js', 'fflate/LICENSE'])
    expect(stderr).toContain(`node_modules/${file}`)
  expect(readdirSync(join(clone, 'dist'))).not.toContain('release')
})
