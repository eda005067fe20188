/** How a language writes strings: from `open` to `close`. */
export interface Quote {
  readonly open: string
  readonly close: string
  /** The character that makes the next one plain; with `double` a doubled quote is plain. */
  readonly escape?: '\\' | '`' | 'double'
  readonly isMultiline?: true
  /** Whether it holds one character: Rust has lifetimes too. */
  readonly isCharacter?: true
}

/** How a language writes comments and strings. */
export interface Syntax {
  readonly lineComments: readonly string[]
  readonly blockComments: readonly (readonly [begin: string, end: string])[]
  readonly quotes: readonly Quote[]
  readonly hasRegularExpressions?: true
  /** Whether `<<NAME` begins a text that ends with a line of that name. */
  readonly hasHereDocuments?: true
  /** Whether a string that stands alone is documentation. */
  readonly hasDocstrings?: true
}

export type ProgramLanguage = 'typescript' | 'python' | 'go' | 'dotnet' | 'java' | 'rust' | 'cpp'

/** One entry for each form of a fix. */
export type FixLanguage =
  | ProgramLanguage
  | ('powershell' | 'terraform' | 'bicep' | 'arm' | 'helm' | 'workflow' | 'shell' | 'makefile' | 'docker')
  | ('env' | 'settings' | 'psd1' | 'bicepparam' | 'other')

export interface Language {
  readonly syntax: Syntax
  readonly fix: FixLanguage
  /** Text for people, not a program. */
  readonly isProse?: true
  readonly isYaml?: true
  readonly isNotebook?: true
}

const one = (open: string, escape?: Quote['escape']): Quote => ({ open, close: open, ...(escape && { escape }) })
const long = (open: string, escape?: Quote['escape']): Quote => ({ ...one(open, escape), isMultiline: true })
const both = [one('"', '\\'), one("'", '\\')]
const slashes = { lineComments: ['//'], blockComments: [['/*', '*/']] } as const

const script: Syntax = { ...slashes, quotes: [...both, long('`', '\\')], hasRegularExpressions: true }
const cLike: Syntax = { ...slashes, quotes: [long('"""'), ...both] }
const csharp: Syntax = {
  ...slashes,
  quotes: [long('"""'), { ...long('"', 'double'), open: '@"' }, { ...long('"', 'double'), open: '@$"' }, ...both],
}
const rust: Syntax = {
  ...slashes,
  quotes: [{ open: 'r#"', close: '"#', isMultiline: true }, long('"', '\\'), { ...one("'", '\\'), isCharacter: true }],
}
const hash: Syntax = { lineComments: ['#'], blockComments: [], quotes: both }
const shell: Syntax = { ...hash, quotes: [long('"', '\\'), long("'")], hasHereDocuments: true }
const ruby: Syntax = {
  ...hash,
  blockComments: [['\n=begin', '\n=end'], ...['\n=pod', '\n=head1'].map((begin) => [begin, '\n=cut'] as const)],
}
const goTemplates = ['{{/*', '{{- /*'].map((begin) => [begin, '*/'] as const)
const yaml: Syntax = { ...hash, blockComments: goTemplates, quotes: [one('"', '\\'), one("'", 'double')] }
const python: Syntax = { ...hash, quotes: [long('"""', '\\'), long("'''", '\\'), ...both], hasDocstrings: true }
const hcl: Syntax = { ...slashes, lineComments: ['#', '//'], quotes: [one('"', '\\')], hasHereDocuments: true }
const bicep: Syntax = { ...slashes, quotes: [long("'''"), one("'", '\\')] }
const powershell: Syntax = {
  lineComments: ['#'],
  blockComments: [['<#', '#>']],
  quotes: [
    { open: '@"\n', close: '\n"@', isMultiline: true },
    { open: "@'\n", close: "\n'@", isMultiline: true },
    long('"', '`'),
    long("'", 'double'),
  ],
}
const markup: Syntax = { lineComments: [], blockComments: [['<!--', '-->']], quotes: [] }
const ini: Syntax = { lineComments: ['#', ';'], blockComments: [], quotes: [] }
const plain: Syntax = { lineComments: [], blockComments: [], quotes: [] }
const json: Syntax = { ...slashes, quotes: [one('"', '\\')] }

type Row = readonly [
  names: string,
  syntax: Syntax,
  fix?: FixLanguage,
  kind?: Pick<Language, 'isProse' | 'isYaml' | 'isNotebook'>,
]
const prose = { isProse: true } as const

const byExtension: readonly Row[] = [
  ['ts mts cts tsx js jsx mjs cjs', script, 'typescript'],
  ['vue svelte astro', { ...script, blockComments: [...slashes.blockComments, ...markup.blockComments] }, 'typescript'],
  ['py pyi pyw', python, 'python'],
  ['ipynb', plain, 'other', { isNotebook: true }],
  ['go', { ...slashes, quotes: [one('"', '\\'), long('`'), one("'", '\\')] }, 'go'],
  ['cs csx', csharp, 'dotnet'],
  ['fs fsx', { ...cLike, blockComments: [['(*', '*)']] }, 'dotnet'],
  ['vb', { lineComments: ["'"], blockComments: [], quotes: [one('"', 'double')] }],
  ['cshtml razor', { ...markup, lineComments: ['//'] }],
  ['java kt kts scala groovy gradle jenkinsfile', cLike, 'java'],
  ['ps1 psm1', powershell, 'powershell'],
  ['psd1', powershell, 'psd1'],
  ['tf tfvars hcl', hcl, 'terraform'],
  ['bicep bicept', bicep, 'bicep'],
  ['bicepparam', bicep, 'bicepparam'],
  ['c h cc cpp cxx hpp hh', cLike, 'cpp'],
  ['dockerfile', hash, 'docker'],
  ['swift dart m mm proto', cLike],
  ['rs', rust, 'rust'],
  ['css scss less', { ...slashes, quotes: both }],
  ['json jsonc json5', json],
  ['php', { ...slashes, lineComments: ['//', '#'], quotes: both }],
  ['rb pl pm', ruby],
  ['r ex exs cmake nix tcl', hash],
  ['sh bash zsh ksh fish bats', shell, 'shell'],
  ['yml yaml', yaml, 'other', { isYaml: true }],
  ['toml', { ...hash, quotes: [long('"""', '\\'), long("'''"), ...both] }],
  ['env', hash, 'env'],
  ['mk', hash, 'makefile'],
  ['ini cfg conf properties editorconfig service', ini],
  ['xml config csproj fsproj vbproj props targets xaml html htm xhtml svg', markup],
  ['sql', { lineComments: ['--'], blockComments: slashes.blockComments, quotes: [one("'", 'double')] }],
  ['bat cmd', { ...plain, lineComments: ['REM ', 'rem ', '@REM ', '@rem ', '::'] }],
  ['lua hs', { lineComments: ['--'], blockComments: [], quotes: both }],
  ['tpl', { ...yaml, quotes: both }, 'other', { isYaml: true }],
  ['erb', { ...plain, blockComments: [['<%#', '%>']] }],
  ['md mdx markdown rst adoc asciidoc txt org pod rmd qmd', plain, 'other', prose],
]

/** Names of files, up to a dot. */
const byName: readonly Row[] = [
  ['dockerfile containerfile', hash, 'docker'],
  ['makefile gnumakefile', hash, 'makefile'],
  ['.env', hash, 'env'],
  ['jenkinsfile', cLike],
  ['appsettings local.settings host', json, 'settings'],
  ['readme license notice changelog authors contributing codeowners', plain, 'other', prose],
  ['tiltfile vagrantfile rakefile gemfile podfile brewfile .gitignore .dockerignore', hash],
  ['bashrc .bashrc .profile zshrc .zshrc bash_profile .bash_profile', shell, 'shell'],
]

const tableOf = (rows: readonly Row[]) =>
  new Map(
    rows.flatMap(([names, syntax, fix = 'other', kind]) =>
      names.split(' ').map((name): [string, Language] => [name, { syntax, fix, ...kind }]),
    ),
  )
const [extensions, names] = [tableOf(byExtension), tableOf(byName)]
const of = (extension: string): Language => extensions.get(extension) ?? { syntax: plain, fix: 'other' }

/** Endings of templates, whose language is that of the name before. */
const templateEnding = /\.(?:j2|jinja2?|tmpl|tmp|template|gotmpl|tpl|in|hbs|mustache|tftpl|dist|example|sample)$/i

/** @param beginning The first characters of the file. */
export function languageOf(path: string, beginning: string): Language {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const stem = /^[^.]*\.tpl$/.test(name) ? name : name.replace(templateEnding, '')
  const [, first = '', extension = ''] = /^(\.?[^.]*(?:(?<=^local)\.settings)?)(?:.*?\.([^.]*))?$/s.exec(stem) ?? []
  const special = names.get(first)
  const isSettings = special?.fix === 'settings'
  const shebang = /^#!.*\b(?:ba|z|k|da)?sh\b/.test(beginning) ? 'sh' : /^#!.*python/.test(beginning) ? 'py' : ''
  const language = special !== undefined && (!isSettings || extension === 'json') ? special : of(extension || shebang)
  return refine(language, path, beginning, stem !== name || name.endsWith('.tpl'))
}

/** Some files of one language are written by different rules. */
function refine(language: Language, path: string, beginning: string, isTemplate: boolean): Language {
  if (/\.tf\.json$/i.test(path)) return { ...language, fix: 'terraform' }
  if (/\.json$/i.test(path) && /"\$schema"\s*:\s*"https?:\/\/schema\.management\.azure\.com\//.test(beginning))
    return { ...language, fix: /[dD]eploymentParameters/.test(beginning) ? 'settings' : 'arm' }
  if (isTemplate && /\.j(?:2|inja2?)$/i.test(path)) {
    const { syntax } = language
    return { ...language, syntax: { ...syntax, blockComments: [...syntax.blockComments, ['{#', '#}']] } }
  }
  if (language.isYaml !== true) return language
  if (/(?:^|\/)templates\//.test(path)) return { ...language, fix: 'helm' }
  const isWorkflow = /(?:^|\/)(?:\.github\/(?:workflows|actions)\/|action\.ya?ml$)/.test(path)
  return isWorkflow ? { ...language, fix: 'workflow' } : language
}
