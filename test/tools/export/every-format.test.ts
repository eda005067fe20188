import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { isObject } from '../../../src/lib/base/json.ts'
import { exportFormats } from '../../../src/tools/export/export-formats.ts'
import type { CloudProfile } from '../../../src/lib/clouds/cloud-profile.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { missing } from '../../support/missing.ts'
import { enclave, hostileText, stack } from '../../support/sample-profiles.ts'

// Every format is rendered twice: with a plain word in the middle of a value, and with a hostile text in place of the word. What a real parser
// reads must differ by exactly that text.

/** Reads many texts at once, because starting a program takes longer than reading them. */
type Read = (texts: readonly string[]) => readonly unknown[]

const temp = useTemporaryDirectory()

const readJson: Read = (texts) => texts.map((text) => JSON.parse(text) as unknown)

/** Sourced by a shell with recorders in place of the commands: the arguments of their calls, and the variables that stay. */
const readShell =
  (shell: string): Read =>
  (texts) => {
    const recorders = ['az', 'kubectl', 'kubelogin'].map((name) => `${name}() { printf '%s\\0' ${name} "$@" >&3; }\n`)
    const script = texts.map((text) => {
      // A text that ends its subshell early prints no end.
      return `(\nset --\n${text}\nenv -0 >&3\nprintf '\\001\\002\\003' >&3\n)\n`
    })
    const file = temp.write('script', `${recorders.join('')}exec 3>&1 >/dev/null\n${script.join('')}`)
    const path = process.env['PATH'] ?? ''
    const env = { PATH: path, KUBE_USER: 'somebody' }
    const output = execFileSync(shell, [file], { encoding: 'utf8', maxBuffer: 1 << 28, env })
    const read = output.split('\u0001\u0002\u0003').slice(0, -1)
    return read.map((each) => {
      const lines = each.split('\0').filter((line) => !/^(?:_|PWD|SHLVL|OLDPWD)=/.test(line))
      return lines.map(readInner)
    })
  }

/** kubectl reads the values of its option as CSV. */
function readInner(line: string): unknown {
  const [, name = '', value = ''] = /^(--exec-arg)=(.*)$/s.exec(line) ?? []
  if (name === '') return line
  return value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value
}

/** The syntax tree, with every literal as the language reads it. */
const readPython: Read = (texts) => {
  const program = `
import ast, json, sys
def plain(node):
    if isinstance(node, ast.Constant): return node.value if isinstance(node.value, (str, int, type(None))) else repr(node.value)
    if isinstance(node, ast.AST): return [type(node).__name__] + [plain(value) for _, value in ast.iter_fields(node)]
    return [plain(each) for each in node] if isinstance(node, list) else node
print(json.dumps([plain(ast.parse(text.encode("ascii"))) for text in json.load(sys.stdin)]))`
  const options = { input: JSON.stringify(texts), encoding: 'utf8', maxBuffer: 1 << 28 } as const
  return JSON.parse(execFileSync('python3', ['-c', program], options)) as unknown[]
}

const shells = ['sh', 'bash'].filter((shell) => missing(shell, '-c', 'true') === '')

/** What reads each format. */
const readers: readonly { readonly format: string; readonly reader: string; readonly read: Read }[] = [
  ...['az-json', 'go-autorest', 'vscode'].map((format) => ({ format, reader: 'JSON', read: readJson })),
  ...['env', 'az', 'kubelogin'].flatMap((format) =>
    shells.map((shell) => ({ format, reader: shell, read: readShell(shell) })),
  ),
  { format: 'python', reader: 'python', read: readPython },
]

/** No parser here reads these. quote.test.ts and texts.property.test.ts check their literals. */
const readElsewhere = ['bicep', 'terraform', 'powershell', 'typescript', 'dotnet', 'go']

const word = 'plainword'

/** The places of a text in a profile. Tenant and suffixes are not validated here: validation lets only letters and digits pass. */
const placed: Readonly<Record<string, (text: string) => Partial<CloudProfile>>> = {
  texts(text) {
    const [storage, keyVault, sqlServer, containerRegistry] = ['blob', 'vault', 'sql', 'acr'].map(
      (name) => `.${name}.a${text}z`,
    )
    const serviceDnsSuffixes = { storage, keyVault, sqlServer, containerRegistry } as CloudProfile['serviceDnsSuffixes']
    return { displayName: `A ${text} B`, tenantId: `a${text}z`, serviceDnsSuffixes }
  },
  'paths of addresses, one of them at IPv6': (text) => ({
    authorityHost: `https://login.enclave.test:8443/a${text}z/`,
    resourceManagerEndpoint: `https://[fd00::1]:8444/a${text}z/`,
    metadataEndpoint: `https://[fd00::1]:8444/a${text}z/metadata/endpoints`,
    portalUrl: `https://portal.test/a${text}z`,
    resourceManagerAudience: `https://management.test/a${text}z/`,
    serviceAudiences: {
      arm: `https://management.test/a${text}z/`,
      storage: `https://storage.test/a${text}z/`,
      keyVault: `https://vault.test/a${text}z/`,
    },
  }),
}

const orders = ['$HOME$(id)`id`${IFS}', '%PATH%%%d%25%0a', '{{.Values.x}}{%raw%}{#x#}', "';id;'", '";id;"', '&*@#:- ']
const breaks = ['\n---\nevil: true\n', '\\\n\\u000a\\x0a', '\u2028\u2029\u0085\u001b[2J']
const hostileWords: readonly string[] = [
  hostileText,
  [...orders, ...breaks].join(' '),
  "'$%PATH%&;()!*,:@=+~[]%25",
  'long'.repeat(4000),
]

/** Whether the path of a URL contains a text unchanged. */
function isPlainInUrl(text: string): boolean {
  return new URL(`https://login.test/a${text}z/`).href.includes(`/a${text}z/`)
}

/** What a parser should read, from what it read with the plain word. */
function substituted(value: unknown, text: string): unknown {
  if (typeof value === 'string') return value.replaceAll(word, () => text)
  if (Array.isArray(value)) return value.map((each) => substituted(each, text))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, substituted(each, text)]))
}

test('every format has a reader', () => {
  const formats = new Set([...readers.map(({ format }) => format), ...readElsewhere])
  expect([...formats].toSorted()).toEqual(Object.keys(exportFormats).toSorted())
})

describe.each(readers)('$format, read by $reader,', ({ format, reader, read }) => {
  const isMissing = reader === 'python' && missing('python3', '--version') !== ''
  test.skipIf(isMissing).each(Object.entries(placed))('keeps hostile %s unchanged', (_place, place) => {
    for (const base of [enclave, stack]) {
      // An address is written as URLs are, which escape some characters.
      const isAddress = JSON.stringify(place(word)).includes('https:')
      const words = isAddress ? hostileWords.filter(isPlainInUrl) : hostileWords
      expect(words.length).toBeGreaterThan(1)
      const texts = [word, ...words]
      const [plain, ...found] = read(
        texts.map((text) => exportFormats[format]?.render({ ...base, ...place(text) }) ?? ''),
      )
      expect(found).toEqual(words.map((text) => substituted(plain, text)))
    }
  })
})
