/** A notation for a value that a deployment tool should replace, such as `$(NAME)`, or the reader of a guide. */
export interface ReferenceKind {
  /** For people, as in `a reference of Azure Key Vault`. */
  readonly name: string
  /** Matches references that no secret looks like. Without it, a secret may look like the reference. */
  readonly neverSecret?: RegExp
  /** An imperative without a final period: how to replace the reference. */
  readonly fix: string
}

interface Notation extends ReferenceKind {
  /** The beginning of every match of the pattern. Checked first, because V8 compiles each pattern that is tested. */
  readonly start: string
  /** Matches a trimmed value as a whole. */
  readonly pattern: RegExp
}

const kinds: readonly Notation[] = [
  {
    name: 'a reference of Azure Key Vault or App Configuration',
    start: '@',
    pattern: /^@Microsoft\.(?:KeyVault|AppConfiguration)\(.*\)$/is,
    neverSecret: /^@Microsoft\.(?:KeyVault|AppConfiguration)\(.*\)$/is,
    fix: 'Assign the role Key Vault Secrets User or App Configuration Data Reader to the identity of the app, allow its network in the firewall of the vault or store, and check the name that the reference contains',
  },
  {
    name: 'a reference of GitHub Actions or Azure Pipelines',
    start: '${{',
    pattern: /^\$\{\{.*\}\}$/s,
    fix: 'Define the value in the workflow, and use the expression in a file that the workflow evaluates',
  },
  {
    name: 'a reference of Kubernetes or Azure Pipelines',
    start: '$(',
    pattern: /^\$\([^()]+\)$/,
    neverSecret: /^\$\([A-Za-z_][\w.-]*\)$/,
    fix: 'Define the name: in Kubernetes in an entry of env above this one, in a pipeline as a variable, which you map if it is secret',
  },
  {
    name: 'a reference of a shell, Compose or envsubst',
    start: '${',
    pattern: /^\$\{[^{}]+\}$/,
    fix: 'Define the variable where the tool runs, and use quotes that let the tool expand it',
  },
  {
    name: 'a reference of a template (Helm, Jinja or Mustache)',
    start: '{{',
    pattern: /^\{\{\{?(?:(?!\}\}).)+\}?\}\}$/s,
    fix: 'Render the template, and define the value that it names',
  },
]

/** The words of docs/ and deploy/ for values of the reader. */
const guide: ReferenceKind = { name: 'a placeholder of a guide', fix: 'Replace it with your value' }
const isGuideWord = (text: string) =>
  text === 'TENANT' || text === 'CLIENT' || text.startsWith('replace-with-') || text.includes('.FQDN')

/** The kind of a value that is a reference. `undefined` for a value that only contains a reference. */
export function referenceKindOf(value: string): ReferenceKind | undefined {
  const text = value.trim()
  if (isGuideWord(text)) return guide
  return kinds.find(({ start, pattern }) => text.startsWith(start) && pattern.test(text))
}

/** The problem of a value that should have been replaced. Names the tool, never the value, which may lead to a secret. */
export function referenceProblem(value: string): string | undefined {
  const kind = referenceKindOf(value)
  return kind && `is ${kind.name} that was not replaced. ${kind.fix}`
}
