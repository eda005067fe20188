/** A notation for a value that a deployment tool should replace, such as `$(NAME)`, or the reader of a guide. */
interface ReferenceKind {
  /** For people, as in `a reference of Azure Key Vault`. */
  readonly name: string
  /** Whether a trimmed value as a whole is such a reference. */
  readonly matches: (text: string) => boolean
  /** An imperative without a final period: how to replace the reference. */
  readonly fix: string
}

// V8 compiles each pattern that is tested, so the beginning of a text is compared first.
const kinds: readonly ReferenceKind[] = [
  {
    // The words of docs/ and deploy/ for values of the reader.
    name: 'a placeholder of a guide',
    matches: (text) =>
      text === 'TENANT' || text === 'CLIENT' || text.startsWith('replace-with-') || text.includes('.FQDN'),
    fix: 'Replace it with your value',
  },
  {
    name: 'a reference of Azure Key Vault or App Configuration',
    matches: (text) => text.startsWith('@') && neverSecret.test(text),
    fix: 'Assign the role Key Vault Secrets User or App Configuration Data Reader to the identity of the app, allow its network in the firewall of the vault or store, and check the name that the reference contains',
  },
  {
    name: 'a reference of GitHub Actions or Azure Pipelines',
    matches: (text) => text.startsWith('${{') && text.endsWith('}}'),
    fix: 'Define the value in the workflow, and use the expression in a file that the workflow evaluates',
  },
  {
    name: 'a reference of Kubernetes or Azure Pipelines',
    matches: (text) => text.startsWith('$(') && /^\$\([^()]+\)$/.test(text),
    fix: 'Define the name: in Kubernetes in an entry of env above this one, in a pipeline as a variable, which you map if it is secret',
  },
  {
    name: 'a reference of a shell, Compose or envsubst',
    matches: (text) => text.startsWith('${') && /^\$\{[^{}]+\}$/.test(text),
    fix: 'Define the variable where the tool runs, and use quotes that let the tool expand it',
  },
  {
    name: 'a reference of a template (Helm, Jinja or Mustache)',
    matches: (text) => text.startsWith('{{') && /^\{\{\{?(?:(?!\}\}).)+\}?\}\}$/s.test(text),
    fix: 'Render the template, and define the value that it names',
  },
]

/** References that no secret looks like. A secret may look like any other. */
const neverSecret = /^(?:@Microsoft\.(?:KeyVault|AppConfiguration)\(.*\)|\$\([a-z_][\w.-]*\))$/is

export const isNeverSecret = (value: string): boolean => neverSecret.test(value.trim())

/** The kind of a value that is a reference. `undefined` for a value that only contains a reference. */
export function referenceKindOf(value: string): ReferenceKind | undefined {
  const text = value.trim()
  return kinds.find(({ matches }) => matches(text))
}

/** The problem of a value that should have been replaced. Names the tool, never the value, which may lead to a secret. */
export function referenceProblem(value: string): string | undefined {
  const kind = referenceKindOf(value)
  return kind && `is ${kind.name} that was not replaced. ${kind.fix}`
}
