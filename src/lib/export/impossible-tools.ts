/** A tool that no text can configure for a cloud which it does not know by name. */
export interface ImpossibleTool {
  readonly tool: string
  /** Markdown. */
  readonly why: string
  /** The alternative. Markdown. */
  readonly instead: string
}

/** Tools that a user looks for in vain among the exports. */
export const impossibleTools: readonly ImpossibleTool[] = [
  {
    tool: 'cert-manager',
    why: '`environment` of its DNS solver takes known clouds by name only',
    instead: 'another solver (HTTP-01, or DNS through a webhook)',
  },
  {
    tool: 'Cluster API (CAPZ)',
    why: '`azureEnvironment` takes known clouds by name only',
    instead: 'clusters made by another tool',
  },
  {
    tool: 'Dapr',
    why: '`azureEnvironment` of its components takes known clouds by name only',
    instead: 'a component that needs no Azure login, or the SDK in the application',
  },
  {
    tool: 'Prometheus 3',
    why: '`environment` of `azure_sd_configs` takes known clouds by name only',
    instead: 'Prometheus 2, or `file_sd_configs`',
  },
]
