import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fc, few } from '../../../test/support/properties.ts'
import { useTemporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { PatternBudget, parsePattern } from '../src/ignore-rules.ts'
import { runScan, withTree, type Files } from './scan-tree-of.ts'

const temp = useTemporaryDirectory()
const host = 'x.vault.azure.net'
const program = join(import.meta.dirname, '../src/cloud-profile-scan.ts')
const measured = `data:text/javascript,${encodeURIComponent(
  "import { writeSync } from 'node:fs'; process.on('exit', () => writeSync(3, String(process.resourceUsage().maxRSS)))",
)}`

/** A file that is there stays: two parts may have one name, and to write into a pipe would wait. */
const writeNew = (path: string, content: string | Uint8Array) => writeFileSync(path, content, { flag: 'wx' })

/** What a repository may hold, by a number. Each writes below the root only. */
const hostileParts: readonly ((root: string, random: (limit: number) => number) => unknown)[] = [
  (root) => symlinkSync(join(temp.path, 'outside'), join(root, 'link.ts')),
  (root) => symlinkSync('/', join(root, 'folder')),
  (root) => symlinkSync('/dev/zero', join(root, 'zero.json')),
  (root) => execFileSync('mkfifo', [join(root, 'pipe.ts')]),
  (root) => symlinkSync('/dev/zero', join(root, '.gitignore')),
  (root) => execFileSync('mkfifo', [join(root, '.gitattributes')]),
  (root, random) =>
    writeNew(join(root, '.gitignore'), `${'**/a/'.repeat(1 + random(40))}\n${'*a'.repeat(150)}b\n[\n!\n\\\n`),
  (root, random) =>
    writeNew(join(root, '.gitattributes'), `${'**/a/'.repeat(1 + random(40))}b linguist-generated\n`.repeat(50)),
  (root, random) => writeNew(join(root, 'line.ts'), '=/['.repeat(20_000 + random(20_000)) + host),
  (root, random) =>
    writeNew(
      join(root, 'open.py'),
      `from azure.identity import DefaultAzureCredential\n${'DefaultAzureCredential('.repeat(5000 + random(5000))}`,
    ),
  (root, random) => writeNew(join(root, 'deep.tf'), 'provider "azurerm" {'.repeat(5000 + random(5000))),
  (root, random) => writeNew(join(root, 'deep.json'), `${'{"azurerm":'.repeat(20_000 + random(20_000))}"${host}"`),
  (root, random) => writeNew(join(root, 'a.yaml'), `- uses: azure/login@v2\n${'  - x: [{\n'.repeat(random(30_000))}`),
  (root, random) =>
    writeNew(join(root, 'quotes.sh'), `'"\`${'$(('.repeat(random(50_000))}<<A${'\n'.repeat(random(10_000))}${host}`),
  (root) => writeNew(join(root, '##vso[task.setvariable variable=x]y.ts'), `'${host}'`),
  (root) => writeNew(join(root, '::stop-commands::x.ts'), `'${host}'`),
  (root) => writeNew(join(root, 'a\u001B]0;x\u0007\u202E\u2028.ts'), `'${host}'`),
  (root) => writeNew(join(root, '$(touch ran).py'), `'${host}'`),
  (root, random) => {
    let folder = root
    for (let depth = 0; depth < 20 + random(40); depth++) mkdirSync((folder = join(folder, 'a')))
    writeNew(join(folder, 'b'), host)
  },
  (root) => existsSync(join(root, '.git')) || execFileSync('git', ['-C', root, 'init', '-q']),
  (root) => {
    mkdirSync(join(root, '.git'), { recursive: true })
    for (const name of ['config', 'HEAD', 'index'])
      if (!existsSync(join(root, '.git', name))) execFileSync('mkfifo', [join(root, '.git', name)])
  },
  (root) => {
    mkdirSync(join(root, '.git/objects'), { recursive: true })
    mkdirSync(join(root, '.git/refs'), { recursive: true })
    writeNew(
      join(root, '.git/config'),
      '[core]\n\tworktree = /\n\tfsmonitor = touch ran\n[include]\n\tpath = /dev/zero\n',
    )
    writeNew(join(root, '.git/index'), Buffer.alloc(4096, 0xff))
  },
  (root) => writeNew(join(root, 'wide.ps1'), Buffer.from(`$u = '${host}'\n`.repeat(2000), 'utf16le')),
  (root, random) => writeNew(join(root, 'many.txt'), `${host}\n`.repeat(random(50_000))),
]

describe('a hostile repository', () => {
  test('made at random is scanned without a hang, a crash, a write, or much memory', () => {
    mkdirSync(join(temp.path, 'trees'), { recursive: true })
    let count = 0
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(hostileParts.length - 1), { minLength: 2, maxLength: 9 }),
        fc.infiniteStream(fc.nat(1 << 20)),
        (parts, numbers) => {
          const root = join(temp.path, 'trees', String(count++))
          mkdirSync(root)
          const random = (limit: number) => Number(numbers.next().value) % limit
          for (const part of parts) {
            try {
              hostileParts[part]?.(root, random)
            } catch {
              // Two parts of one name.
            }
          }
          const before = listing(root)
          const { status, signal, output } = spawnSync(
            process.execPath,
            ['--import', measured, program, '--format', 'json', root],
            {
              timeout: 60_000,
              encoding: 'utf8',
              stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
              maxBuffer: 1 << 28,
              cwd: temp.path,
            },
          )
          expect({ parts, status, signal, error: output[2] }).toEqual({
            parts,
            status: expect.toSatisfy((code: number) => code <= 2) as number,
            signal: null,
            error: expect.stringMatching(/^$|is a git directory/) as string,
          })
          expect(Number(output[3]) / 1000).toBeLessThan(300)
          expect(['##vso', '\u001B', '\u0007', '\u202E', '\u2028'].filter((sign) => output[1]?.includes(sign))).toEqual(
            [],
          )
          expect(listing(root)).toEqual(before)
        },
      ),
      few(6),
    )
    expect(readdirSync(temp.path).sort()).toEqual(['trees'])
  })

  const listing = (root: string) => readdirSync(root).map((name) => `${name} ${lstatSync(join(root, name)).ino}`)

  test.each([
    ['a link to a file outside', (file: string) => symlinkSync(temp.write('rc', 'mine'), file)],
    ['a link to a device', (file: string) => symlinkSync('/dev/zero', file)],
    ['a pipe', (file: string) => execFileSync('mkfifo', [file])],
    ['a folder', (file: string) => mkdirSync(file)],
  ])('whose baseline is %s is neither read nor written through it', async (_title, make) => {
    await withTree({ 'a.ts': `'${host}'` }, async (root) => {
      const baseline = join(root, 'scan.json')
      make(baseline)
      await expect(runScan(['--write-baseline', baseline, root])).rejects.toThrow(/is a link|is not a file/)
      await expect(runScan(['--baseline', baseline, root])).rejects.toThrow(/is a link|is not a file/)
      const outside = ['rc']
        .filter((name) => existsSync(join(temp.path, name)))
        .map((name) => readFileSync(join(temp.path, name), 'utf8'))
      expect(outside.filter((text) => text !== 'mine')).toEqual([])
    })
  })

  test.each([['text'], ['github']])('gives no order to a pipeline by the names of its files, in %s', async (format) => {
    const names = [
      '##vso[task.complete].ts',
      '##[error]x.ts',
      '::stop-commands::y.ts',
      'z\u001B[2J.ts',
      'folder/::add-mask::.ts',
    ]
    const { stdout } = await withTree(Object.fromEntries(names.map((name) => [name, `'${host}'`])), (root) =>
      runScan(['--format', format, root]),
    )
    const commands = stdout.split('\n').filter((line) => /##(?:vso)?\[|^\s*::(?!error |warning |notice )/i.test(line))
    expect(commands).toEqual([])
    expect(stdout).not.toContain('\u001B')
  })

  test('that fails in one file keeps the findings of the others', async () => {
    const { stdout } = await withTree({ 'a.tf': `${'{'.repeat(1_800_000)} "${host}"`, 'b.ts': `'${host}'` }, (root) =>
      runScan(['--format', 'json', root]),
    )
    expect((JSON.parse(stdout) as { findings: { path: string }[] }).findings.map(({ path }) => path)).toContain('b.ts')
  })
})

describe('every reader is linear: a text of twice the length takes about twice the time', () => {
  const seeds = [
    '=/[',
    '"',
    "'",
    '`${',
    '/*',
    '<<A\n',
    '#',
    '//',
    '{',
    '(',
    'new X(',
    '\\',
    '"""',
    '@"',
    ": '",
    'a.b.',
    '%s.',
    'api://',
    '\n ',
    '<#',
    'DefaultAzureCredential(',
    'provider "azurerm" {',
    'AccountName=a;',
    '- uses: azure/login@v2\n',
    'AzureCloud ',
    `${host} `,
    '##[',
    '"cell_type": "code", "source": [',
  ]
  test.each(['ts', 'py', 'go', 'cs', 'java', 'rs', 'ps1', 'tf', 'bicep', 'sh', 'yaml', 'json', 'rb', 'ipynb', 'xml'])(
    '.%s',
    async (extension) => {
      const timeOf = (length: number) =>
        timeToScan(
          Object.fromEntries(
            seeds.map((seed, index) => [
              `${index}.${extension}`,
              `${seed.repeat(Math.ceil(length / seed.length)).slice(0, length)}\n'${host}'`,
            ]),
          ),
        )
      const short = await timeOf(20_000)
      // Four times the length: a quadratic reader takes sixteen times as long.
      expect((await timeOf(80_000)) / Math.max(short, 100)).toBeLessThan(10)
    },
  )

  test('a folder whose files are named for clouds', async () => {
    const timeOf = (count: number) =>
      timeToScan(Object.fromEntries(Array.from({ length: count }, (_, index) => [`public_${index}.ts`, `'${host}'`])))
    const few = await timeOf(1000)
    expect((await timeOf(6000)) / Math.max(few, 100)).toBeLessThan(10)
  })

  test.each([
    ['ts', 'require("a")', '\n'],
    ['ts', '', 'import {'],
    ['ts', 'import {', 'cloud '],
    ['py', '', 'from cloud import '],
    ['cs', '', '\n'],
  ])('a patch for .%s adds its import below %j and many of %j', async (extension, start, seed) => {
    const end = `\n${extension === 'cs' ? 'class A { string ' : ''}b = "https://management.azure.com/"${extension === 'cs' ? '; }' : ''}\n`
    const timeOf = (length: number) =>
      timeToScan({ [`a.${extension}`]: start + seed.repeat(length) + end }, '--format', 'patch', '--module', 'cloud')
    const short = await timeOf(20_000)
    expect((await timeOf(80_000)) / Math.max(short, 100)).toBeLessThan(10)
  })

  /** Milliseconds of the processor. */
  const timeToScan = (files: Files, ...options: readonly string[]) =>
    withTree(files, async (root) => {
      const { user } = process.cpuUsage()
      await runScan([...(options.length === 0 ? ['--format', 'json'] : options), root])
      return (process.cpuUsage().user - user) / 1000
    })
})

test.each([
  ['**/a/', 'a/b/c', false],
  ['a/**/z', 'a/b/c/z', true],
  ['a/**', 'a/b', true],
  ['/a', 'a', true],
  ['/a', 'b/a', false],
  ['*.log', 'x/y.log', true],
  ['a[0-9]?', 'a1b', true],
  ['[!a]b', 'ab', false],
  [String.raw`\#a`, '#a', true],
  ['x/*/z', 'x/y/z', true],
  ['x/*/z', 'x/y/y/z', false],
])('the pattern %s and %s: %s', (pattern, path, expected) => {
  const parsed = parsePattern(pattern)
  expect(parsed !== undefined && new PatternBudget().matches(parsed, path, false)).toBe(expected)
})

test('a pattern that never ends elsewhere costs a bounded number of steps', () => {
  const pattern = parsePattern(`${'**/a*a*/'.repeat(20)}b`)
  const budget = new PatternBudget(100_000)
  for (let round = 0; round < 10_000 && !budget.isSpent; round++)
    if (pattern !== undefined) budget.matches(pattern, 'a/'.repeat(60), false)
  expect(budget.isSpent).toBe(true)
})
