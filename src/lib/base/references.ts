/** A notation in which a deployment tool refers to a value that it replaces. */
export interface ReferenceKind {
  /** The tool, for people. */
  readonly tool: string
  /** The first characters of every match of the pattern. Compared first, because a cold start compiles each pattern that it tests. */
  readonly start: string
  /** Matches a whole value, without spaces around it. */
  readonly pattern: RegExp
  /** The form that no secret has. Secrets of the other forms exist. */
  readonly neverSecret?: RegExp
  /** The instruction that makes the tool replace it: an imperative without a final period. */
  readonly fix: string
}

const kinds: readonly ReferenceKind[] = [
  {
    tool: 'Azure Key Vault',
    start: '@',
    pattern: /^@Microsoft\.KeyVault\(.*\)$/is,
    neverSecret: /^@Microsoft\.KeyVault\(.*\)$/is,
    fix: 'Give the identity of the app the role Key Vault Secrets User, let its network through the firewall of the vault, and check the name of the secret',
  },
  {
    tool: 'Azure App Configuration',
    start: '@',
    pattern: /^@Microsoft\.AppConfiguration\(.*\)$/is,
    neverSecret: /^@Microsoft\.AppConfiguration\(.*\)$/is,
    fix: 'Give the identity of the app the role App Configuration Data Reader, let its network through the firewall of the store, and check the key and label',
  },
  {
    tool: 'GitHub Actions or Azure Pipelines',
    start: '${{',
    pattern: /^\$\{\{.*\}\}$/s,
    fix: 'Define the value in the workflow, and use the expression in a file that the workflow evaluates',
  },
  {
    tool: 'Kubernetes or Azure Pipelines',
    start: '$(',
    pattern: /^\$\([^()]+\)$/,
    neverSecret: /^\$\([A-Za-z_][\w.-]*\)$/,
    fix: 'In Kubernetes define the name in an entry of env above this one; in a pipeline define the variable, and map it if it is secret',
  },
  {
    tool: 'a shell, Compose or envsubst',
    start: '${',
    pattern: /^\$\{[^{}]+\}$/,
    fix: 'Define the variable where the tool runs, and quote it so that the tool expands it',
  },
  {
    tool: 'a template (Helm, Jinja or Mustache)',
    start: '{{',
    pattern: /^\{\{\{?(?:(?!\}\}).)+\}?\}\}$/s,
    fix: 'Render the template, and define the value that it names',
  },
  {
    tool: 'a token replacement of a pipeline',
    start: '#{',
    pattern: /^#\{[^{}]+\}#?$/,
    fix: 'Define the variable in the pipeline, and let its token replacement run over the file with this value',
  },
  {
    tool: 'the Windows command shell',
    start: '%',
    pattern: /^%[A-Z_][\w.()-]*%$/i,
    fix: 'Define the variable where the command runs, and let the shell expand it',
  },
]

/** The kind of reference that a value is as a whole. A value that merely contains a reference has none. */
export function referenceKindOf(value: string): ReferenceKind | undefined {
  const text = value.trim()
  return kinds.find(({ start, pattern }) => text.startsWith(start) && pattern.test(text))
}

/** Which problem a value is that a deployment tool should have replaced. Names the tool, never the value, which may lead to a secret. */
export function referenceProblem(value: string): string | undefined {
  const kind = referenceKindOf(value)
  return kind && `is a reference of ${kind.tool} that was not replaced. ${kind.fix}`
}
