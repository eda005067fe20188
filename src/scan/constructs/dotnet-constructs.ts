import type { Node } from '@vscode/tree-sitter-wasm'
import { argumentsOf, type Captures, type ConstructRow } from './construct.ts'
import { placesOfName } from './places-of-name.ts'

const query = `[
  (object_creation_expression type: (_) @name arguments: (argument_list)? @arguments) @construct
  (variable_declaration
    type: (_) @name
    (variable_declarator (implicit_object_creation_expression (argument_list) @arguments) @construct))
]`

/** The credentials that ask an authority, with the place of their options. */
const credentials: Readonly<Record<string, number>> = {
  DefaultAzureCredential: 0,
  EnvironmentCredential: 0,
  DeviceCodeCredential: 0,
  InteractiveBrowserCredential: 0,
  WorkloadIdentityCredential: 0,
  ClientSecretCredential: 3,
  ClientCertificateCredential: 3,
  ClientAssertionCredential: 3,
  UsernamePasswordCredential: 4,
  OnBehalfOfCredential: 4,
  AzurePipelinesCredential: 4,
  AuthorizationCodeCredential: 4,
}

const lastName = (node: Node | undefined) => (node?.text ?? '').split('.').at(-1) ?? ''

export const dotnetConstructs: readonly ConstructRow[] = [
  {
    grammars: ['c-sharp'],
    kind: 'credential',
    needs: /\bAzure\.Identity\b/,
    query,
    namesIn:
      () =>
      ({ name }) =>
        Object.hasOwn(credentials, lastName(name)) ? lastName(name) : undefined,
    isMissing: (captures, { source, meaning }) => lacks(captures, credentials[meaning] ?? 0, 'AuthorityHost', source),
  },
  {
    grammars: ['c-sharp'],
    kind: 'management-client',
    needs: /\bAzure\.ResourceManager\b/,
    query,
    namesIn:
      () =>
      ({ name }) =>
        lastName(name) === 'ArmClient' ? 'ArmClient' : undefined,
    isMissing: (captures, { source }) =>
      argumentsOf(captures['arguments']).length > 0 && lacks(captures, 2, 'Environment', source),
  },
]

function lacks({ arguments: list, construct }: Captures, position: number, property: string, source: string): boolean {
  const given = argumentsOf(list)
  const options = given.map(valueOf).find((node) => isOptions(node)) ?? valueOf(given[position])
  if (options === undefined) return true
  if (options.type === 'null_literal' || options.type === 'default_expression' || options.type === 'boolean_literal')
    return true
  // Options of the file, in which the property is never mentioned.
  if (options.type === 'identifier' && !source.includes(property) && isPlainOptions(source, options.text)) return true
  if (!isOptions(options)) return given.length <= position && construct !== undefined
  const initializer = options.namedChildren.find((node) => node?.type === 'initializer_expression')
  // The constructor of the options may set the cloud, which the query cannot see.
  if (argumentsOf(options.childForFieldName('arguments') ?? undefined).length > 0) return false
  const assigned = (initializer?.namedChildren ?? []).map((node) => node?.childForFieldName('left')?.text)
  return !assigned.includes(property)
}

function valueOf(argument: Node | undefined): Node | undefined {
  const nodes = argument?.namedChildren ?? []
  return nodes.at(-1) ?? argument
}

function isOptions(node: Node | undefined): boolean {
  if (node?.type === 'implicit_object_creation_expression') return true
  return (
    node?.type === 'object_creation_expression' && node.childForFieldName('type')?.text.endsWith('Options') === true
  )
}

/** Whether a name is assigned once, new options without arguments, and never is a parameter. */
function isPlainOptions(source: string, name: string): boolean {
  const places = placesOfName(source, name)
  if (places.some(({ before, after }) => /Options\??$/.test(before) && /^\s*[,)]/.test(after))) return false
  const [first, second] = places.filter(({ after }) => /^\s*=(?![=>])/.test(after))
  return (
    first !== undefined && second === undefined && /^\s*=\s*new\s+[\w.]+Options\s*(?:\(\s*\)\s*)?[;{]/.test(first.after)
  )
}
