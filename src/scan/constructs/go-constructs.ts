import type { Node } from '@vscode/tree-sitter-wasm'
import { endOfText } from '../../lib/base/end-of-text.ts'
import { argumentsOf, type Captures, type ConstructRow } from './construct.ts'
import { placesOfName, plainBody } from './places-of-name.ts'

const query = `(call_expression
  function: (selector_expression operand: (identifier) @package field: (field_identifier) @name)
  arguments: (argument_list) @arguments) @construct`

const credentials =
  /^New(DefaultAzure|Environment|DeviceCode|InteractiveBrowser|OnBehalfOf|WorkloadIdentity|ClientSecret|ClientCertificate|ClientAssertion|UsernamePassword|AzurePipelines)Credential\w*$/

export const goConstructs: readonly ConstructRow[] = [
  {
    grammars: ['go'],
    kind: 'credential',
    needs: /"github\.com\/Azure\/azure-sdk-for-go\/sdk\/azidentity"/,
    query,
    namesIn(source) {
      const packages = packageNames(source, /"github\.com\/Azure\/azure-sdk-for-go\/sdk\/(azidentity)"/g)
      return (captures) => nameIn(packages, credentials, captures)
    },
    isMissing: lacksCloud,
  },
  {
    grammars: ['go'],
    kind: 'management-client',
    needs: /azure-sdk-for-go\/sdk\/(?:resourcemanager\/|azcore\/arm")/,
    query,
    namesIn(source) {
      const packages = packageNames(
        source,
        /"github\.com\/Azure\/azure-sdk-for-go\/sdk\/(resourcemanager\/[\w./-]{1,200}|azcore\/arm)"/g,
      )
      return (captures) => nameIn(packages, /^New\w*(Client|Factory)$/, captures)
    },
    isMissing: lacksCloud,
  },
]

function nameIn(packages: ReadonlySet<string>, names: RegExp, captures: Captures): string | undefined {
  const name = captures['name']?.text ?? ''
  return packages.has(captures['package']?.text ?? '') && names.test(name) ? name : undefined
}

/** The names by which a file calls packages. @param imports Captures the path, of which the last part is the usual name. */
function packageNames(source: string, imports: RegExp): ReadonlySet<string> {
  const names = [...source.matchAll(imports)].map(({ index, 1: path = '' }) => {
    const alias = aliasBefore(source, index)
    const last =
      path
        .replace(/\/v\d+$/, '')
        .split('/')
        .at(-1) ?? ''
    return alias === '' || alias === 'import' ? last : alias
  })
  return new Set(names)
}

/** The name before an import, or nothing. */
function aliasBefore(source: string, at: number): string {
  const before = source.slice(Math.max(0, at - 200), at)
  const spaces = endOfText(before, /[ \t]/).length
  return spaces === 0 ? '' : endOfText(before.slice(0, before.length - spaces), /\w/)
}

/** Options are the last argument: `nil`, or a literal that names no cloud. A variable may hold one. */
function lacksCloud({ arguments: list }: Captures, { source }: { readonly source: string }): boolean {
  const options = argumentsOf(list).at(-1)
  if (options === undefined) return false
  if (options.type === 'nil') return true
  const literal = options.type === 'unary_expression' ? options.childForFieldName('operand') : options
  // Options of the file, in which no cloud is ever mentioned.
  if (literal?.type === 'identifier') return !/\bCloud\b/.test(source) && isPlainLiteral(source, literal.text)
  return literal?.type === 'composite_literal' && literalLacksCloud(literal)
}

function literalLacksCloud(literal: Node): boolean {
  const body = literal.childForFieldName('body')
  const elements = (body?.namedChildren ?? []).filter((node): node is Node => node?.type === 'keyed_element')
  const valueOf = (key: string) => elements.find((node) => node.namedChildren[0]?.text === key)?.namedChildren[1]
  if (valueOf('Cloud') !== undefined) return false
  const nested = valueOf('ClientOptions')
  if (nested === undefined || nested === null) return true
  const inner = nested.namedChildren[0]
  return inner?.type === 'composite_literal' ? literalLacksCloud(inner) : false
}

/** Whether a name is assigned once, a literal without nested options, and never is a parameter. */
function isPlainLiteral(source: string, name: string): boolean {
  const places = placesOfName(source, name)
  if (places.some(({ before, after }) => /[(,]$/.test(before) && /^[ \t]+[*\w]/.test(after))) return false
  const [first, second] = places.filter(({ after }) => /^[ \t]*(?:,[^=\n]*)?:?=(?!=)/.test(after))
  if (first === undefined || second !== undefined || !/^[ \t]*:?=\s*&?[\w.]+Options\{/.test(first.after)) return false
  return plainBody(first.after)?.includes('ClientOptions') === false
}
