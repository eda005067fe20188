import type { Node } from '@vscode/tree-sitter-wasm'
import type { ConstructRow } from './construct.ts'

const builders =
  /^(DefaultAzure|Environment|DeviceCode|InteractiveBrowser|OnBehalfOf|WorkloadIdentity|ClientSecret|ClientCertificate|ClientAssertion|UsernamePassword|AzurePipelines|AuthorizationCode)CredentialBuilder$/

export const javaConstructs: readonly ConstructRow[] = [
  {
    grammars: ['java'],
    kind: 'credential',
    needs: /\bcom\.azure\.identity\b/,
    query: '(object_creation_expression type: [(type_identifier) (scoped_type_identifier)] @name) @construct',
    namesIn:
      () =>
      ({ name }) =>
        builders.exec(name?.text.split('.').at(-1) ?? '')?.[0],
    isMissing({ construct }) {
      const calls = chainOf(construct)
      return calls.includes('build') && !calls.includes('authorityHost')
    },
  },
  {
    grammars: ['java'],
    kind: 'management-client',
    needs: /\bcom\.azure\.resourcemanager\b/,
    // A profile without an environment takes the public one.
    query: `(method_invocation name: (identifier) @name arguments: (argument_list) @arguments) @construct`,
    namesIn:
      () =>
      ({ name, construct }) =>
        name?.text === 'authenticate' &&
        /^(\w+Manager|AzureResourceManager)$/.test(construct?.childForFieldName('object')?.text ?? '')
          ? name.text
          : undefined,
    isMissing: ({ arguments: list }) => (list?.namedChildren.length ?? 0) === 1,
  },
]

/** The methods called one after the other on a new object. */
function chainOf(start: Node | undefined): readonly string[] {
  const names: string[] = []
  let node = start
  while (node?.parent?.type === 'method_invocation' && node.parent.childForFieldName('object')?.id === node.id) {
    node = node.parent
    names.push(node.childForFieldName('name')?.text ?? '')
  }
  return names
}
