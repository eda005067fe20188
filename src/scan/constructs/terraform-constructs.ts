import { endOfHereDocument, endOfString } from '../comments.ts'
import { Lines } from '../lines.ts'
import type { ConstructPlace } from './construct.ts'

const providers = new Set(['azurerm', 'azuread', 'azapi'])
const settings = new Set(['environment', 'metadata_host', 'endpoint'])

/**
 * The required settings of a backend. A backend without all of them reads the others, and possibly its cloud, from a file or from options.
 */
const backendSettings = ['storage_account_name', 'container_name', 'key']

/** A block of HCL with the names that are assigned directly in it. */
interface Block {
  readonly row: number
  readonly column: number
  readonly type: string
  readonly label: string
  readonly names: Set<string>
  readonly values: Map<string, { readonly text: string; readonly row: number; readonly column: number }>
}

/** Provider and backend blocks that name no cloud. */
export function findProviderBlocks(source: string): readonly ConstructPlace[] {
  return parseBlocks(source)
    .filter(({ type, label }) => (type === 'provider' || type === 'backend') && providers.has(label))
    .filter(({ type, names }) => type === 'provider' || backendSettings.every((name) => names.has(name)))
    .filter(({ names }) => ![...settings].some((name) => names.has(name)))
    .map(({ row, column, type, label }) => ({ row, column, name: `${type} "${label}"`, kind: 'provider-block' }))
}

/** Where a block chooses a cloud by a plain name: the place of the name. */
export function findPlainNames(
  source: string,
): readonly { readonly row: number; readonly column: number; readonly text: string }[] {
  return parseBlocks(source).flatMap(({ type, label, values }) => {
    const isChosen = (type === 'provider' || type === 'backend') && providers.has(label)
    const isDefault = type === 'variable' && /environment|cloud/i.test(label)
    const value = isChosen ? values.get('environment') : isDefault ? values.get('default') : undefined
    return value === undefined || !/^(public|usgovernment|china)$/i.test(value.text) ? [] : [value]
  })
}

/** Comments of one line, the begins of what may be longer, words and signs. */
const token = /#[^\n]*|\/\/[^\n]*|\/\*|<<|"|[A-Za-z_][\w-]*|[{}=\n]|[^\s{}="#/<A-Za-z_]+|./g

function parseBlocks(source: string): readonly Block[] {
  const blocks: Block[] = []
  const open: (Block | undefined)[] = []
  const lines = new Lines(source)
  let words: { readonly text: string; readonly at: number }[] = []
  token.lastIndex = 0
  let found: RegExpExecArray | null
  while ((found = token.exec(source)) !== null) {
    let [text] = found
    if (text.startsWith('#') || text.startsWith('//')) continue
    if (text === '/*') {
      const close = source.indexOf('*/', token.lastIndex)
      token.lastIndex = close === -1 ? source.length : close + 2
      continue
    }
    if (text === '<<') {
      token.lastIndex = endOfHereDocument(source, found.index) ?? token.lastIndex
      continue
    }
    if (text === '"') {
      token.lastIndex = endOfString(source, token.lastIndex, '"')
      text = source.slice(found.index, token.lastIndex)
    }
    if (text === '\n') words = []
    else if (text === '{') {
      const [type, label] = words
      const isBlock = type !== undefined && words.every(({ text: word }) => /^["\w]/.test(word))
      const block = isBlock ? createBlock(lines, type.at, type.text, label?.text ?? '') : undefined
      if (block !== undefined) blocks.push(block)
      open.push(block)
      words = []
    } else if (text === '}') {
      open.pop()
      words = []
    } else if (text === '=') {
      const name = words.at(-1)?.text
      const block = open.at(-1)
      if (name !== undefined && block !== undefined) {
        block.names.add(name)
        const value = /^[ \t]*"([^"\n]*)"/.exec(source.slice(token.lastIndex, token.lastIndex + 200))
        if (value !== null) {
          const at = token.lastIndex + value[0].indexOf('"') + 1
          block.values.set(name, { text: value[1] ?? '', ...lines.offsetOf(at) })
        }
      }
      words = [{ text: '=', at: found.index }]
    } else if (text.trim() !== '') words.push({ text, at: found.index })
  }
  return blocks
}

function createBlock(lines: Lines, at: number, type: string, label: string): Block {
  return { ...lines.offsetOf(at), type, label: label.replaceAll('"', ''), names: new Set(), values: new Map() }
}
