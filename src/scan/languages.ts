/** How a language writes comments and strings. */
export interface Syntax {
  readonly lineComments: readonly string[]
  readonly blockComments: readonly (readonly [begin: string, end: string])[]
  /** Quotes of strings that end with their line. */
  readonly quotes: string
  /** Quotes of strings that may hold line breaks; the longest first. */
  readonly longQuotes: readonly string[]
  /** Of these, the ones in which a backslash escapes nothing. */
  readonly rawQuotes?: string
  /** Whether the long quote begins a template with substitutions, and a slash may begin a regular expression. */
  readonly hasTemplates?: true
  /** Whether `<<NAME` begins a text that ends with a line of that name. */
  readonly hasHereDocuments?: true
  /** Whether a long string that stands alone is documentation. */
  readonly hasDocstrings?: true
  /** Whether `'` quotes a single character. */
  readonly hasCharacters?: true
  /** Whether `#` begins a comment only at the begin of a word. */
  readonly hashNeedsSpace?: true
}

/** The grammars that find constructs. */
export const grammars = ['typescript', 'tsx', 'python', 'go', 'c-sharp', 'java'] as const

export type Grammar = (typeof grammars)[number]

/** The languages of fixes: one entry for each form of a fix. */
export const fixLanguages = [
  'typescript',
  'python',
  'go',
  'dotnet',
  'java',
  'rust',
  'powershell',
  'terraform',
  'bicep',
  'arm',
  'helm',
  'helm-values',
  'workflow',
  'shell',
  'other',
] as const

export type FixLanguage = (typeof fixLanguages)[number]

export interface Language {
  readonly syntax: Syntax
  readonly fix: FixLanguage
  readonly grammar?: Grammar
  readonly isYaml?: true
  /** Text for people, not a program. */
  readonly isProse?: true
}

const slashes = { lineComments: ['//'], blockComments: [['/*', '*/']] } as const
const script: Syntax = { ...slashes, quotes: `"'`, longQuotes: ['`'], hasTemplates: true }
const cLike: Syntax = { ...slashes, quotes: '"', longQuotes: ['"""'], hasCharacters: true }
const goSyntax: Syntax = { ...slashes, quotes: '"', longQuotes: ['`'], rawQuotes: '`', hasCharacters: true }
const hash: Syntax = { lineComments: ['#'], blockComments: [], quotes: `"'`, longQuotes: [], hashNeedsSpace: true }
const goTemplateComments = [
  ['{{/*', '*/'],
  ['{{- /*', '*/'],
] as const
/** Charts are templates too. */
const yaml: Syntax = { ...hash, blockComments: goTemplateComments }
const python: Syntax = {
  lineComments: ['#'],
  blockComments: [],
  quotes: `"'`,
  longQuotes: ['"""', "'''"],
  hasDocstrings: true,
}
const hcl: Syntax = {
  hasHereDocuments: true,
  lineComments: ['#', '//'],
  blockComments: [['/*', '*/']],
  quotes: '"',
  longQuotes: [],
}
const bicep: Syntax = { ...slashes, quotes: "'", longQuotes: ["'''"] }
const powershell: Syntax = {
  lineComments: ['#'],
  blockComments: [['<#', '#>']],
  quotes: `"'`,
  longQuotes: [],
  hashNeedsSpace: true,
}
const php: Syntax = { lineComments: ['//', '#'], blockComments: [['/*', '*/']], quotes: `"'`, longQuotes: [] }
const markup: Syntax = { lineComments: [], blockComments: [['<!--', '-->']], quotes: '', longQuotes: [] }
const sql: Syntax = { lineComments: ['--'], blockComments: [['/*', '*/']], quotes: "'", longQuotes: [] }
const ini: Syntax = { lineComments: ['#', ';'], blockComments: [], quotes: '', longQuotes: [], hashNeedsSpace: true }
const plain: Syntax = { lineComments: [], blockComments: [], quotes: '', longQuotes: [] }

const table: readonly (readonly [extensions: string, language: Language])[] = [
  ['ts mts cts', { syntax: script, fix: 'typescript', grammar: 'typescript' }],
  ['tsx js jsx mjs cjs', { syntax: script, fix: 'typescript', grammar: 'tsx' }],
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
  ['py pyi pyw', { syntax: python, fix: 'python', grammar: 'python' }],
  ['ipynb', { syntax: plain, fix: 'python' }],
  ['go', { syntax: goSyntax, fix: 'go', grammar: 'go' }],
  ['cs csx', { syntax: cLike, fix: 'dotnet', grammar: 'c-sharp' }],
  ['fs fsx', { syntax: { ...cLike, blockComments: [['(*', '*)']] }, fix: 'dotnet' }],
  ['vb', { syntax: { lineComments: ["'"], blockComments: [], quotes: '"', longQuotes: [] }, fix: 'dotnet' }],
  ['cshtml razor', { syntax: { ...markup, lineComments: ['//'] }, fix: 'dotnet' }],
  ['java', { syntax: cLike, fix: 'java', grammar: 'java' }],
  ['kt kts scala groovy gradle', { syntax: { ...cLike, quotes: `"'` }, fix: 'java' }],
  ['ps1 psm1 psd1', { syntax: powershell, fix: 'powershell' }],
  ['tf tfvars hcl', { syntax: hcl, fix: 'terraform' }],
  ['bicep bicept bicepparam', { syntax: bicep, fix: 'bicep' }],
  ['c h cc cpp cxx hpp hh swift dart m mm proto', { syntax: cLike, fix: 'other' }],
  ['rs', { syntax: cLike, fix: 'rust' }],
  ['css scss less', { syntax: { ...slashes, quotes: `"'`, longQuotes: [] }, fix: 'other' }],
  ['json jsonc json5', { syntax: { ...slashes, quotes: '"', longQuotes: [] }, fix: 'other' }],
  ['php', { syntax: php, fix: 'other' }],
  ['rb pl pm r ex exs cmake nix tcl', { syntax: hash, fix: 'other' }],
  ['sh bash zsh ksh fish', { syntax: hash, fix: 'shell' }],
  ['yml yaml', { syntax: yaml, fix: 'other', isYaml: true }],
  ['toml', { syntax: { ...hash, longQuotes: ['"""', "'''"] }, fix: 'other' }],
  ['env', { syntax: hash, fix: 'shell' }],
  ['ini cfg conf properties editorconfig service', { syntax: ini, fix: 'other' }],
  ['xml config csproj fsproj vbproj props targets xaml html htm xhtml svg', { syntax: markup, fix: 'other' }],
  ['sql hql', { syntax: sql, fix: 'other' }],
  ['lua hs elm', { syntax: { ...sql, blockComments: [] }, fix: 'other' }],
  ['clj cljs el lisp asm', { syntax: { ...plain, lineComments: [';'], quotes: '"' }, fix: 'other' }],
  ['bat cmd', { syntax: { ...plain, lineComments: ['::', 'REM ', 'rem ', '@REM ', '@rem '] }, fix: 'other' }],
  ['md mdx markdown rst adoc asciidoc txt textile org tex rtf pod', { syntax: plain, fix: 'other', isProse: true }],
]

const byExtension = new Map(table.flatMap(([names, language]) => names.split(' ').map((name) => [name, language])))

const unknown: Language = { syntax: { ...plain, lineComments: ['#', '//'], hashNeedsSpace: true }, fix: 'other' }

const byName: readonly (readonly [pattern: RegExp, language: Language])[] = [
  [
    /^(dockerfile|containerfile|makefile|jenkinsfile|vagrantfile|gemfile|rakefile|justfile)/i,
    { syntax: hash, fix: 'shell' },
  ],
  [/^\.(bashrc|profile|zshrc|bash_profile|envrc|env)/i, { syntax: hash, fix: 'shell' }],
  [
    /^(readme|changelog|changes|history|license|notice|contributing|authors)(\.|$)/i,
    { syntax: plain, fix: 'other', isProse: true },
  ],
]

/** Comments of templates, by the extensions of their files. */
const templates: readonly (readonly [extension: RegExp, comments: Syntax['blockComments']])[] = [
  [/\.(?:j2|jinja2?)$/i, [['{#', '#}']]],
  [/\.(?:tmpl|tpl|gotmpl|template)$/i, goTemplateComments],
  [/\.erb$/i, [['<%#', '%>']]],
  [/\.(?:hbs|mustache)$/i, [['{{!', '}}']]],
]

/** @param path With `/`. */
export function languageOf(path: string): Language {
  const template = templates.find(([extension]) => extension.test(path))
  if (template === undefined) return languageOfName(path)
  const [extension, comments] = template
  // What a template makes: `provider.tf.tmpl`. Helm has parts of YAML without another extension.
  const made = path.replace(extension, '')
  const isPart = /(?:^|\/)(?:charts?|helm|templates)\//.test(made) && !made.slice(made.lastIndexOf('/')).includes('.')
  const { grammar: _none, ...language } = languageOfName(isPart ? `${made}.yaml` : made)
  return {
    ...language,
    syntax: { ...language.syntax, blockComments: [...comments, ...language.syntax.blockComments] },
  }
}

function languageOfName(path: string): Language {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const named = byName.find(([pattern]) => pattern.test(name))?.[1]
  if (named !== undefined) return named
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const found = (name.includes('.') ? byExtension.get(extension) : undefined) ?? unknown
  if (found.isYaml === true) return { ...found, fix: fixOfYaml(path) }
  return found
}

function fixOfYaml(path: string): FixLanguage {
  if (/(^|\/)\.github\/(workflows|actions)\//.test(path)) return 'workflow'
  if (/(^|\/)values[^/]*\.ya?ml$/.test(path)) return 'helm-values'
  return /(^|\/)(charts?|helm)\//.test(path) ? 'helm' : 'other'
}
