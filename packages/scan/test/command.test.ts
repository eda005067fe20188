import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from 'sarif'
import { describe, expect, test } from 'vitest'
import { fc, few } from '../../../test/support/properties.ts'
import { useTemporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { runScan, withTree, type Files } from './scan-tree-of.ts'

const temp = useTemporaryDirectory()

interface JsonReport {
  readonly findings: readonly Readonly<Record<string, string | number>>[]
  readonly summary: Readonly<Record<string, unknown>>
}

const host = 'x.vault.azure.net'

/** Runs the command over a tree of these files. */
const scan = (files: Files, ...options: string[]) => withTree(files, (root) => runScan([...options, root]))

const scanJson = async (files: Files, ...options: string[]) => {
  const { code, stdout, stderr } = await scan(files, '--format', 'json', ...options)
  return { code, stderr, report: JSON.parse(stdout) as JsonReport }
}

describe('exit codes', () => {
  test.each([
    ['nothing found', { 'a.ts': 'const a = 1\n' }, [], 0],
    ['an error', { 'a.ts': `const a = '${host}'\n` }, [], 1],
    ['a warning', { 'a.tf': 'provider "azurerm" {\n}\n' }, [], 1],
    ['a warning, failing on errors', { 'a.tf': 'provider "azurerm" {\n}\n' }, ['--fail-on', 'error'], 0],
    ['a note', { 'a.md': host }, [], 0],
    ['a note, failing on notes', { 'a.md': host }, ['--fail-on', 'note'], 1],
    ['an empty tree', {}, [], 0],
  ] as const)('%s', async (_title, files, options, code) => {
    expect(await scan(files, ...options)).toMatchObject({ code })
  })

  test.each([
    ['a path that is not there', ['/nowhere/at/all'], '/nowhere/at/all does not exist'],
    ['an unknown level', ['--fail-on', 'info'], '--fail-on must be one of error, warning, note'],
    ['an unknown cloud', ['--for', 'nope'], 'nope is neither'],
    ['a missing baseline', ['--baseline', '/nowhere.json'], '/nowhere.json cannot be read'],
  ])('2 for %s', async (_title, args, message) => {
    await expect(runScan([...args])).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining(message) as string,
    })
  })

  test('2 for a git directory and for a device: neither holds source', async () => {
    await withTree({ 'bare/HEAD': '', 'bare/objects/x': '', 'bare/refs/x': '' }, async (root) => {
      await expect(runScan([join(root, 'bare')])).rejects.toThrow('is a git directory')
    })
    await expect(runScan(['/dev/null'])).rejects.toThrow('is neither a file nor a folder')
  })

  test('2 for a folder that cannot be read, unless there are findings', async () => {
    const asNobody = (root: string) =>
      spawnSync(
        process.execPath,
        [join(import.meta.dirname, '../src/cloud-profile-scan.ts'), '--format', 'json', root],
        {
          encoding: 'utf8',
          ...(process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}),
        },
      )
    await withTree({ 'a.ts': '', 'closed/b.ts': host }, async (root) => {
      chmodSync(root, 0o755)
      chmodSync(join(root, 'closed'), 0)
      const { status, stdout } = asNobody(root)
      expect({ status, unreadable: (JSON.parse(stdout) as JsonReport).summary['unreadable'] }).toEqual({
        status: 2,
        unreadable: [{ path: 'closed', reason: 'EACCES' }],
      })
      writeFileSync(join(root, 'a.ts'), `const a = '${host}'`)
      expect(asNobody(root).status).toBe(1)
      chmodSync(join(root, 'closed'), 0o755)
    })
  })
})

describe('formats', () => {
  const files = {
    'src/a.go': `package a\n\nvar u = "https://${host}/" // ${'long '.repeat(60)}\n`,
    'src/b.py': `${' '.repeat(200)}url = "https://x.blob.core.windows.net"\n`,
    'docs/a.md': 'https://login.microsoftonline.com',
  }

  test('text groups by file, marks the value within 80 columns, and summarizes', async () => {
    const { stdout } = await scan(files)
    const lines = stdout.split('\n')
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
    for (const value of [host, 'x.blob.core.windows.net']) {
      const at = lines.findIndex((line) => line.includes(value))
      expect(lines[at + 1]?.trim()).toBe('^'.repeat(value.length))
      expect(lines[at]?.indexOf(value)).toBe(lines[at + 1]?.indexOf('^'))
    }
    expect(stdout).toMatch(/^2 errors, 0 warnings, 1 note in 3 files \(/m)
    expect(stdout).toMatch(/^By rule: HARDCODED_HOST 3$/m)
    expect(stdout).not.toContain('\u001B')
  })

  test('text has colors on a terminal only', async () => {
    const { stdout } = await withTree(files, (root) => runScan([root], true))
    expect(stdout).toContain('\u001B[31m')
  })

  test('json lists each finding, relative to the root, and a summary', async () => {
    const { report } = await scanJson(files)
    expect(report.findings.map(({ path, line, column, level }) => [path, line, column, level])).toEqual([
      ['docs/a.md', 1, 9, 'note'],
      ['src/a.go', 3, 18, 'error'],
      ['src/b.py', 1, 216, 'error'],
    ])
    expect(Object.keys(report.findings[0] ?? {})).toEqual([
      'rule',
      'level',
      'path',
      'line',
      'column',
      'value',
      'cloud',
      'service',
      'fix',
    ])
    expect(report.summary).toMatchObject({
      files: 3,
      findings: 3,
      errors: 2,
      warnings: 0,
      notes: 1,
      byService: { 'key-vault': 1, login: 1, storage: 1 },
    })
  })

  test('sarif has rules with help, and fingerprints that stay when a line moves', async () => {
    const read = async (tree: Files) => JSON.parse((await scan(tree, '--format', 'sarif')).stdout) as Log
    const [before, after] = [await read(files), await read({ ...files, 'src/a.go': `\n\n\n${files['src/a.go']}` })]
    const resultsOf = (log: Log) => log.runs[0]?.results ?? []
    expect(before.version).toBe('2.1.0')
    expect(
      before.runs[0]?.tool.driver.rules?.every(
        ({ help, fullDescription }) => help !== undefined && fullDescription !== undefined,
      ),
    ).toBe(true)
    // Notes stay out.
    expect(resultsOf(before)).toHaveLength(2)
    expect(resultsOf(after).map(({ partialFingerprints }) => partialFingerprints)).toEqual(
      resultsOf(before).map(({ partialFingerprints }) => partialFingerprints),
    )
    expect(resultsOf(before)[0]?.locations?.[0]?.physicalLocation).toMatchObject({
      artifactLocation: { uri: 'src/a.go', uriBaseId: 'ROOT' },
      region: { startLine: 3, startColumn: 18 },
    })
  })

  test('github escapes what a workflow command gives a meaning', async () => {
    const { stdout } = await scan({ 'a,b:c%.ts': `const a = '${host}'\n` }, '--format', 'github')
    expect(stdout).toMatch(
      /^::error file=a%2Cb%3Ac%25\.ts,line=1,col=12,endColumn=29,title=HARDCODED_HOST::x\.vault\.azure\.net /,
    )
  })
})

describe('a baseline', () => {
  test('leaves out what it knows, wherever the lines moved, and not one more', async () => {
    const baseline = join(temp.path, 'baseline.json')
    const line = `const a = '${host}'\n`
    expect(await scan({ 'a.ts': line + line }, '--write-baseline', baseline)).toMatchObject({ code: 0 })
    expect(readFileSync(baseline, 'utf8')).toContain('"count": 2')
    expect(await scan({ 'a.ts': `\n\n${line}${line}` }, '--baseline', baseline)).toMatchObject({ code: 0 })
    const { code, report } = await scanJson({ 'a.ts': line + line + line }, '--baseline', baseline)
    expect({ code, lines: report.findings.map((finding) => finding['line']) }).toEqual({ code: 1, lines: [3] })
    expect(report.summary).toMatchObject({ known: 2 })
  })
})

describe('a repository', () => {
  const git = (root: string, ...args: string[]) =>
    execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { stdio: 'pipe' })

  test('whose index is longer than a pipe holds is scanned to its last file', async () => {
    const names = Array.from({ length: 260 }, (_, index) => `${String(index).padStart(230, 'a')}.md`)
    await withTree(Object.fromEntries(names.map((name) => [name, ''])), async (root) => {
      git(root, 'init', '-q')
      git(root, 'add', '.')
      const { stdout } = await runScan(['--format', 'json', root])
      expect((JSON.parse(stdout) as { readonly summary: { readonly files: number } }).summary.files).toBe(names.length)
    })
  })

  test('is its tracked files; its hooks and helpers do not run', async () => {
    await withTree({ 'a.ts': `'${host}'`, 'untracked.ts': `'${host}'` }, async (root) => {
      git(root, 'init', '-q')
      git(root, 'add', 'a.ts')
      const marker = join(root, 'ran')
      const program = join(root, '.git', 'program')
      writeFileSync(program, `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 })
      for (const name of [
        'core.fsmonitor',
        'core.pager',
        'diff.external',
        'core.sshCommand',
        'filter.x.clean',
        'filter.x.smudge',
      ])
        git(root, 'config', name, program)
      writeFileSync(join(root, '.gitattributes'), '* filter=x diff=x\n')
      for (const hook of ['post-index-change', 'fsmonitor-watchman', 'pre-commit'])
        writeFileSync(join(root, '.git/hooks', hook), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 })
      const { stdout } = await runScan(['--format', 'json', root])
      expect((JSON.parse(stdout) as JsonReport).findings.map((finding) => finding['path'])).toEqual(['a.ts'])
      expect(() => readFileSync(marker)).toThrow('ENOENT')
    })
  })

  test('without git is all that no .gitignore leaves out', async () => {
    const { report } = await scanJson({
      '.gitignore': 'out/\n*.log\n',
      'a.ts': `'${host}'`,
      'a.log': host,
      'out/b.ts': `'${host}'`,
      'sub/.gitignore': '!keep.log\nsecret/\n',
      'sub/keep.log': host,
      'sub/secret/c.ts': `'${host}'`,
    })
    expect(report.findings.map((finding) => finding['path'])).toEqual(['a.ts', 'sub/keep.log'])
  })
})

/** A git index with one file, whatever its path: git itself refuses to add such a path. */
function indexOf(path: string): Buffer {
  const header = Buffer.from('DIRC\0\0\0\u0002\0\0\0\u0001', 'latin1')
  const entry = Buffer.alloc(Math.ceil((62 + path.length + 1) / 8) * 8)
  entry.writeUInt32BE(0o100644, 24)
  entry.writeUInt16BE(path.length, 60)
  entry.write(path, 62, 'latin1')
  const body = Buffer.concat([header, entry])
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}

describe('a hostile tree', () => {
  test('is scanned without a link followed, a pipe waited for, or a terminal led astray', async () => {
    await withTree({ 'a.ts': `'${host}'`, 'sub/b.bin': Buffer.from([0, 1, 2, ...Buffer.from(host)]) }, async (root) => {
      const outside = temp.write('outside.ts', `'${host}'`)
      symlinkSync(outside, join(root, 'outside.ts'))
      symlinkSync('..', join(root, 'sub', 'loop'))
      symlinkSync(temp.path, join(root, 'folder'))
      execFileSync('mkfifo', [join(root, 'pipe.ts')])
      mkdirSync(join(root, 'd\n\u001B[31m\u202E'))
      writeFileSync(join(root, 'd\n\u001B[31m\u202E', 'c\r.ts'), `'\u001B]0;x\u0007${host}'`)
      writeFileSync(
        join(root, 'invalid.ts'),
        Buffer.concat([Buffer.from([0xff, 0xc3, 0x28]), Buffer.from(`'${host}'`)]),
      )
      const { stdout } = await runScan([root])
      const plain = stdout.replaceAll('\n', '')
      expect(plain).not.toMatch(/\p{Cc}|\p{Cf}/u)
      const { stdout: json } = await runScan(['--format', 'json', root])
      const { findings, summary } = JSON.parse(json) as JsonReport
      expect(findings.map((finding) => finding['path'])).toEqual(['a.ts', 'd\n\u001B[31m\u202E/c\r.ts', 'invalid.ts'])
      expect(summary).toMatchObject({ binary: 1 })
    })
  })

  test('whose git configuration names another folder, or whose index leads out of it, stays in its folder', async () => {
    await withTree({ 'in/a.ts': `'${host}'`, 'out.ts': `'${host}'` }, async (parent) => {
      const root = join(parent, 'in')
      const paths = async () => {
        const { stdout } = await runScan(['--format', 'json', root])
        return (JSON.parse(stdout) as JsonReport).findings.map((finding) => finding['path'])
      }
      execFileSync('git', ['-C', root, 'init', '-q'])
      writeFileSync(join(root, '.git', 'index'), indexOf('../out.ts'))
      expect(await paths()).toEqual([])
      execFileSync('git', ['-C', root, 'config', 'core.worktree', '/etc'])
      expect(await paths()).toEqual([])
      rmSync(join(root, '.git', 'index'))
      execFileSync('git', ['-C', root, '--work-tree', root, 'add', 'a.ts'])
      expect(await paths()).toEqual(['a.ts'])
    })
  })

  test('with names that are not UTF-8 is scanned, with git and without', async () => {
    await withTree({}, async (root) => {
      const folder = Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x64, 0xff])])
      mkdirSync(folder)
      writeFileSync(Buffer.concat([folder, Buffer.from([0x2f, 0xfe]), Buffer.from('.ts')]), `const u = '${host}'\n`)
      const paths = async () => {
        const { stdout } = await runScan(['--format', 'json', root])
        return (JSON.parse(stdout) as JsonReport).findings.map((finding) => finding['path'])
      }
      expect(await paths()).toEqual(['d\uFFFD/\uFFFD.ts'])
      execFileSync('git', ['-C', root, 'init', '-q'])
      execFileSync('git', ['-C', root, 'add', '.'])
      expect(await paths()).toEqual(['d\uFFFD/\uFFFD.ts'])
    })
  })

  test('of one long line is read in parts, and each value is found once', async () => {
    const filler = 'abcdefghij'.repeat(600_000)
    const { report } = await scanJson({ 'a.txt': `${filler} ${host} ${filler} y.vault.azure.net\n${host}` })
    expect(report.findings.map(({ line, column, value }) => [line, column, value])).toEqual([
      [1, 6_000_002, host],
      [1, 12_000_021, 'y.vault.azure.net'],
      [2, 1, host],
    ])
  })

  test('of line breaks only is read by threads of little memory', async () => {
    const files = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}.txt`, '']))
    const { report } = await scanJson({ ...files, 'a.txt': `${'\n'.repeat(1_900_000)}${host}` })
    expect(report.findings.map(({ line }) => line)).toEqual([1_900_001])
  })

  test('of values only ends, and says that not all of them are told', async () => {
    const { report } = await scanJson({ 'a.txt': `${host}\n`.repeat(500_000) })
    expect(report.findings.length).toBeLessThan(5000)
    expect(report.summary).toMatchObject({
      incomplete: [{ path: expect.any(String), reason: 'more than 2000 values: the rest not checked' }],
    })
  })
})

describe('secrets', () => {
  const base64 = fc.uint8Array({ minLength: 24, maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString('base64'))
  const word = fc.stringMatching(/^[a-z0-9]{12,40}$/)
  const secret = fc.oneof(
    base64,
    base64.map(encodeURIComponent),
    word,
    // Nothing but its place tells it from a word.
    fc.stringMatching(/^[a-z]{8,20}$/),
    fc.stringMatching(/^[A-Za-z0-9]{3}8Q~[A-Za-z0-9_.~-]{30,34}$/),
  )
  const lines: readonly ((secret: string) => string)[] = [
    (s) =>
      `var c = "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=${s};BlobEndpoint=https://x.blob.core.windows.net/"`,
    (s) => `var u = "https://x.blob.core.windows.net/c/b?sv=2024-01-01&sig=${s}&se=2030"`,
    (s) => `AZURE_CLIENT_SECRET=${s} AUTHORITY=https://login.microsoftonline.com/`,
    (s) => `credential(tenant, client, "${s}", "https://login.microsoftonline.com/")`,
    (s) => `request("https://x.vault.azure.net/secrets/a", headers={"Authorization": "Bearer ${s}"})`,
    (s) => `curl -H 'Authorization: Bearer ${s}' https://management.azure.com/subscriptions`,
    (s) => `https://user:${s}@x.azurewebsites.net/ and password: ${s}`,
    (s) => `"Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=a;SharedAccessKey=${s}"`,
    (s) => `Server=tcp:x.database.windows.net;User ID=a;Password=${s};`,
    (s) => `redis: x.redis.cache.windows.net:6380,password=${s},ssl=True`,
    (s) => `{"clientSecret": "${s}", "vault": "https://x.vault.azure.net"}`,
    (s) => `mysql -h x.mysql.database.azure.com -u root -p${s}`,
    (s) => `redis-cli -a ${s} -h x.redis.cache.windows.net`,
    (s) => `curl -u admin:${s} https://x.azurewebsites.net/`,
    (s) => `docker login x.azurecr.io -u a -p ${s}`,
    (s) => `machine x.azurewebsites.net login a password ${s}`,
    (s) => `x.postgres.database.azure.com:5432:*:admin:${s}`,
    (s) => `fs.azure.account.key.x.blob.core.windows.net=${s}`,
    (s) => `<password>${s}</password><host>x.vault.azure.net</host>`,
    (s) => `DB_PASS=${s} HOST=x.vault.azure.net`,
    (s) => `ConvertTo-SecureString ${s} -AsPlainText; $h = "x.vault.azure.net"`,
    (s) => `auths: {x.azurecr.io: {auth: ${s}}}`,
    (s) => `net use z: \\\\x.file.core.windows.net\\s /user:x ${s}`,
    (s) => `Driver={SQL};Pwd={${s}};Server=x.database.windows.net`,
    (s) => `<${s}> x.vault.azure.net`,
    (s) => `key: >-\n  ${s} https://x.vault.azure.net`,
    (s) => `-----BEGIN KEY-----\n${s}\n-----END KEY----- x.vault.azure.net`,
    (s) => `cat <<EOF\n${s} x.vault.azure.net\nEOF`,
    (s) => `# cloud-profile-ignore: ${s}\n\nx.vault.azure.net`,
    (s) => `x.azurewebsites.net/api/f?code=${s}`,
    (s) => `jdbc:sqlserver://x.database.windows.net;password={${s}};`,
    (s) => `{"keys":["${s}"],"host":"x.vault.azure.net"}`,
    (s) => `Server=x.database.windows.net;Password=two words ${s};Encrypt=true`,
  ]

  test('around a finding show in no format and in no baseline', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...lines), secret, async (line, planted) => {
        await withTree(
          { 'a.txt': `${line(planted)}\n`, 'a.py': `${line(planted)}\n`, 'a.yaml': `a:\n  - ${line(planted)}\n` },
          async (root) => {
            const baseline = join(temp.path, 'planted.json')
            const runs = [
              ...['text', 'json', 'sarif', 'github'].map((format) => ['--format', format]),
              ['--write-baseline', baseline],
            ]
            for (const options of runs) {
              const { stdout, stderr } = await runScan([...options, root])
              expect(stdout).toContain('HARDCODED_HOST')
              expect(stdout + stderr).not.toContain(planted)
            }
            expect(readFileSync(baseline, 'utf8')).not.toContain(planted)
          },
        )
      }),
      few(60),
    )
  })
})
