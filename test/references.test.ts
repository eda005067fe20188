import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { commands } from '../src/cli/command-line.ts'
import { repository } from './support/project-copy.ts'

/** Files that git tracks, and new ones that it doesn't ignore. */
const list = ['ls-files', '--cached', '--others', '--exclude-standard']
const files = execFileSync('git', list, { cwd: repository, encoding: 'utf8' }).trim().split('\n')
const folders = new Set(files.flatMap((file) => parentsOf(file)))
const read = (file: string) => readFileSync(join(repository, file), 'utf8')

function parentsOf(file: string): readonly string[] {
  const parent = posix.dirname(file)
  return parent === '.' ? [] : [parent, ...parentsOf(parent)]
}

/** CHANGELOG.md tells of files that are gone, and a template has the links of the generated page. */
const guides = files.filter((file) => file.endsWith('.md') && !/^(?:CHANGELOG\.md|scripts\/generate\/)/.test(file))
const sources = files.filter((file) => /\.(?:m?[jt]s|css)$/.test(file) && !/reference\/|fixtures\//.test(file))
const configuration = files.filter((file) =>
  /^(?:vitest\.config\.ts|\.dependency-cruiser\.mjs|knip\.json|tsconfig.*\.json|\.ci\/.*)$/.test(file),
)

const commentsOf = (text: string) =>
  text.match(/^[ \t]*(?:\/\*.*?\*\/|\/\/[^\n]*)|[ \t]\/\/ [^\n]*/gms)?.join('\n') ?? ''

/** Texts with references: guides and configuration as a whole, and the comments of everything else. */
const texts = [
  ...[...guides, ...configuration].map((file) => [file, read(file)] as const),
  ...sources.filter((file) => !configuration.includes(file)).map((file) => [file, commentsOf(read(file))] as const),
]

/** A name of a file or folder that a pattern, an end such as `openapi.json` or a whole path can mean. */
function isThere(name: string, from: string): boolean {
  const path = name.replace(/^(?:\.{1,2}\/)+/, '')
  if (/[*{]|NAME|VERSION/.test(path)) return globSync(path.replace(/NAME|VERSION/, '*'), { cwd: repository }).length > 0
  const candidates = [path, posix.join(posix.dirname(from), name)]
  return (
    candidates.some((each) => folders.has(each) || files.includes(each)) ||
    files.some((file) => file.endsWith(`/${path}`) || file.startsWith(`${path}.`)) ||
    [...folders].some((folder) => folder.endsWith(`/${path}`))
  )
}

/** Paths below a folder of ours, and any name of a source file, also behind a slash. */
const named =
  /(?<![\w@./:*-])(?:\.{0,2}\/)*(?:(?:src|test|scripts|docs|deploy|bench|packages|cloud-profiles|\.ci|\.github)\/[\w.*{}/-]*[\w*]|(?:[\w-]+\/)*[a-z][a-z\d-]*\.(?:test\.)?m?ts\b)/g

/** Files that a build, a tool or another project makes, and examples in guides for applications. */
const others =
  /^(?:node_modules|dist|deploy\/kubernetes\/enclave$)\/?|(?:^|\/)(?:index|main|app(?:\.test)?|server|cloud|test|key-vault|storage|resource-manager|api)\.m?ts$|\.d\.m?ts$|\/$/

test('every file and folder that a guide, a comment or the configuration names exists', () => {
  const stale = texts.flatMap(([file, text]) =>
    [...text.matchAll(named)].flatMap(([name]) =>
      others.test(name) || isThere(name, file) ? [] : [`${file}: ${name}`],
    ),
  )
  expect(texts.length).toBeGreaterThan(300)
  expect([...new Set(stale)]).toEqual([])
})

test('every relative link of a guide leads to a file, and to a heading of it', () => {
  const slugs = (text: string) =>
    new Set(
      [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replaceAll(/[^\p{L}\d _-]/gu, '')
          .replaceAll(' ', '-'),
      ),
    )
  const broken = [...guides, 'CHANGELOG.md'].flatMap((guide) =>
    [...read(guide).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].flatMap(
      ([, path = '', heading]) => {
        const target = path === '' ? guide : posix.join(posix.dirname(guide), path)
        if (!files.includes(target) && !folders.has(target.replace(/\/$/, ''))) return [`${guide}: ${path}`]
        return heading === undefined || slugs(read(target)).has(heading) ? [] : [`${guide}: ${path}#${heading}`]
      },
    ),
  )
  expect(broken).toEqual([])
})

test('every command and npm script that a guide or a workflow names exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: object }
  const main = read('scripts/main.ts')
  const known: Readonly<Record<string, (name: string) => boolean>> = {
    'npm run (?:--silent |-s )?': (name) => name in scripts,
    'node scripts/main\\.ts ': (name) => new RegExp(String.raw`^  '?${name}'?: `, 'm').test(main),
    '(?:^|`|\\| |npx |bin/)cloud-profile ': (name) => ['version', 'help', ...Object.keys(commands)].includes(name),
  }
  const all = [
    ...texts.filter(([file]) => file.endsWith('.md') || file.startsWith('.ci/')),
    ...files.filter((file) => /^(?:\.github|deploy)\/.*\.ya?ml$/.test(file)).map((file) => [file, read(file)] as const),
  ]
  const unknown = all.flatMap(([file, text]) =>
    Object.entries(known).flatMap(([start, exists]) =>
      [...text.matchAll(new RegExp(`${start}([a-z][a-z:-]*[a-z])(?![\\w-]*[=/.])`, 'gm'))].flatMap(([, name = '']) =>
        exists(name) ? [] : [`${file}: ${start}${name}`],
      ),
    ),
  )
  expect(unknown).toEqual([])
})

test('every {@link} of a comment names something in the sources', () => {
  const code = sources.map((file) => read(file).replaceAll(/\/\*.*?\*\//gs, '')).join('\n')
  const words = new Set(code.match(/\w+/g))
  const broken = texts.flatMap(([file, text]) =>
    [...text.matchAll(/\{@link (\w+)/g)].flatMap(([, name = '']) => (words.has(name) ? [] : [`${file}: ${name}`])),
  )
  expect(broken).toEqual([])
})
