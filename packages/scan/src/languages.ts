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

/** One entry for each form of a fix. */
export type FixLanguage =
  | 'typescript'
  | 'python'
  | 'go'
  | 'dotnet'
  | 'java'
  | 'rust'
  | 'powershell'
  | 'terraform'
  | 'bicep'
  | 'arm'
  | 'helm'
  | 'workflow'
  | 'shell'
  | 'makefile'
  | 'docker'
  | 'env'
  | 'settings'
  | 'psd1'
  | 'bicepparam'
  | 'cpp'
  | 'other'

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

const script: Syntax = {
  ...slashes,
  quotes: [...both, long('`', '\\')],
  hasRegularExpressions: true,
}
const cLike: Syntax = { ...slashes, quotes: [long('"""'), one('"', '\\'), one("'", '\\')] }
const csharp: Syntax = {
  ...slashes,
  quotes: [
    long('"""'),
    { open: '@"', close: '"', escape: 'double', isMultiline: true },
    { open: '@$"', close: '"', escape: 'double', isMultiline: true },
    one('"', '\\'),
    one("'", '\\'),
  ],
}
const rust: Syntax = {
  ...slashes,
  quotes: [{ open: 'r#"', close: '"#', isMultiline: true }, long('"', '\\'), { ...one("'", '\\'), isCharacter: true }],
}
const hash: Syntax = { lineComments: ['#'], blockComments: [], quotes: both }
const shell: Syntax = { ...hash, quotes: [long('"', '\\'), long("'")], hasHereDocuments: true }
const ruby: Syntax = {
  ...hash,
  blockComments: [
    ['\n=begin', '\n=end'],
    ['\n=pod', '\n=cut'],
    ['\n=head1', '\n=cut'],
  ],
}
const goTemplates = [
  ['{{/*', '*/'],
  ['{{- /*', '*/'],
] as const
const yaml: Syntax = { ...hash, blockComments: goTemplates, quotes: [one('"', '\\'), one("'", 'double')] }
const python: Syntax = {
  lineComments: ['#'],
  blockComments: [],
  quotes: [long('"""', '\\'), long("'''", '\\'), ...both],
  hasDocstrings: true,
}
const hcl: Syntax = {
  lineComments: ['#', '//'],
  blockComments: [['/*', '*/']],
  quotes: [one('"', '\\')],
  hasHereDocuments: true,
}
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

const other = (syntax: Syntax): Language => ({ syntax, fix: 'other' })
const table: readonly (readonly [extensions: string, language: Language])[] = [
  ['ts mts cts tsx js jsx mjs cjs', { syntax: script, fix: 'typescript' }],
  [
    'vue svelte astro',
    {
      syntax: {
        ...script,
        blockComments: [
          ['/*', '*/'],
          ['<!--', '-->'],
        ],
      },
      fix: 'typescript',
    },
  ],
  ['py pyi pyw', { syntax: python, fix: 'python' }],
  ['ipynb', { syntax: plain, fix: 'other', isNotebook: true }],
  ['go', { syntax: { ...slashes, quotes: [one('"', '\\'), long('`'), one("'", '\\')] }, fix: 'go' }],
  ['cs csx', { syntax: csharp, fix: 'dotnet' }],
  ['fs fsx', { syntax: { ...cLike, blockComments: [['(*', '*)']] }, fix: 'dotnet' }],
  ['vb', { syntax: { lineComments: ["'"], blockComments: [], quotes: [one('"', 'double')] }, fix: 'other' }],
  ['cshtml razor', { syntax: { ...markup, lineComments: ['//'] }, fix: 'other' }],
  ['java', { syntax: cLike, fix: 'java' }],
  ['kt kts scala groovy gradle jenkinsfile', { syntax: cLike, fix: 'java' }],
  ['ps1 psm1', { syntax: powershell, fix: 'powershell' }],
  ['psd1', { syntax: powershell, fix: 'psd1' }],
  ['tf tfvars hcl', { syntax: hcl, fix: 'terraform' }],
  ['bicep bicept', { syntax: bicep, fix: 'bicep' }],
  ['bicepparam', { syntax: bicep, fix: 'bicepparam' }],
  ['c h cc cpp cxx hpp hh', { syntax: cLike, fix: 'cpp' }],
  ['swift dart m mm proto', other(cLike)],
  ['rs', { syntax: rust, fix: 'rust' }],
  ['css scss less', other({ ...slashes, quotes: both })],
  ['json jsonc json5', other(json)],
  ['php', other({ lineComments: ['//', '#'], blockComments: [['/*', '*/']], quotes: both })],
  ['rb pl pm', other(ruby)],
  ['r ex exs cmake nix tcl', other(hash)],
  ['sh bash zsh ksh fish bats', { syntax: shell, fix: 'shell' }],
  ['yml yaml', { syntax: yaml, fix: 'other', isYaml: true }],
  ['toml', other({ ...hash, quotes: [long('"""', '\\'), long("'''"), ...both] })],
  ['env', { syntax: hash, fix: 'env' }],
  ['mk', { syntax: hash, fix: 'makefile' }],
  ['ini cfg conf properties editorconfig service', other(ini)],
  ['xml config csproj fsproj vbproj props targets xaml html htm xhtml svg', other(markup)],
  ['sql', other({ lineComments: ['--'], blockComments: [['/*', '*/']], quotes: [one("'", 'double')] })],
  ['bat cmd', other({ ...plain, lineComments: ['REM ', 'rem ', '@REM ', '@rem ', '::'] })],
  ['lua hs', other({ lineComments: ['--'], blockComments: [], quotes: both })],
  ['tpl', { syntax: { ...yaml, quotes: both }, fix: 'other', isYaml: true }],
  ['erb', other({ ...plain, blockComments: [['<%#', '%>']] })],
  ['md mdx markdown rst adoc asciidoc txt org pod rmd qmd', { syntax: plain, fix: 'other', isProse: true }],
]

const byExtension = new Map(
  table.flatMap(([extensions, language]) => extensions.split(' ').map((each) => [each, language] as const)),
)
const of = (extension: string): Language => byExtension.get(extension) ?? other(plain)

/** Endings of templates, whose language is that of the name before. */
const templateEnding = /\.(?:j2|jinja2?|tmpl|tmp|template|gotmpl|tpl|in|hbs|mustache|tftpl|dist|example|sample)$/i

const byName: readonly (readonly [name: RegExp, language: Language])[] = [
  [/^(?:dockerfile|containerfile)(?:\..*)?$|\.dockerfile$/i, { syntax: hash, fix: 'docker' }],
  [/^(?:gnu)?makefile(?:\..*)?$/i, { syntax: hash, fix: 'makefile' }],
  [/^\.env(?:\..*)?$/i, { syntax: hash, fix: 'env' }],
  [/^jenkinsfile(?:\..*)?$/i, { syntax: cLike, fix: 'other' }],
  [/^(?:local\.settings|appsettings(?:\..*)?|host)\.json$/i, { syntax: json, fix: 'settings' }],
  [
    /^(?:readme|license|notice|changelog|authors|contributing|codeowners)(?:\..*)?$/i,
    { syntax: plain, fix: 'other', isProse: true },
  ],
  [/^(?:tiltfile|vagrantfile|rakefile|gemfile|podfile|brewfile|\.gitignore|\.dockerignore)$/i, other(hash)],
  [/^\.?(?:bashrc|profile|zshrc|bash_profile)$/i, { syntax: shell, fix: 'shell' }],
  // A profile of a tool, such as the compiled documentation of .NET, has its own ending.
  [/\.tf\.json$/i, { syntax: json, fix: 'terraform' }],
]

/** The language of a file. @param beginning Its first characters. */
export function languageOf(path: string, beginning: string): Language {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const stem = templateEnding.test(name) && !/^[^.]*\.tpl$/i.test(name) ? name.replace(templateEnding, '') : name
  const special = byName.find(([pattern]) => pattern.test(stem))?.[1]
  const extension = stem.includes('.') ? stem.slice(stem.lastIndexOf('.') + 1).toLowerCase() : ''
  const language =
    special ??
    (extension === '' && /^#!.*\b(?:ba|z|k|da)?sh\b/.test(beginning)
      ? of('sh')
      : extension === '' && /^#!.*python/.test(beginning)
        ? of('py')
        : of(extension))
  const isTemplate = stem !== name || /\.(?:tpl)$/i.test(name)
  return refine(language, path, beginning, isTemplate)
}

/** Some files of one language are written by different rules. */
function refine(language: Language, path: string, beginning: string, isTemplate: boolean): Language {
  if (/\.json$/i.test(path) && /"\$schema"\s*:\s*"https?:\/\/schema\.management\.azure\.com\//.test(beginning))
    return { ...language, fix: /[dD]eploymentParameters/.test(beginning) ? 'settings' : 'arm' }
  if (isTemplate && /\.j(?:2|inja2?)$/i.test(path))
    return {
      ...language,
      syntax: { ...language.syntax, blockComments: [...language.syntax.blockComments, ['{#', '#}']] },
    }
  if (language.isYaml === true && /(?:^|\/)templates\//.test(path)) return { ...language, fix: 'helm' }
  if (
    language.isYaml === true &&
    (/(?:^|\/)\.github\/(?:workflows|actions)\//.test(path) || /(?:^|\/)action\.ya?ml$/.test(path))
  )
    return { ...language, fix: 'workflow' }
  return language
}
