import table from '../../../interop/last-run.json' with { type: 'json' }

/** A client that ran with an export. */
export interface RecordedRun {
  readonly client: string
  readonly version: string
  /** The login authorities of each mode. */
  readonly modes: Readonly<Record<string, readonly string[]>>
  /** Host names that it looked up besides those of the profile. */
  readonly lookups: readonly string[]
}

/** The clients that an export last ran with. `npm run interop` writes the table. */
export function runsOf(format: string): readonly RecordedRun[] {
  const runs: Readonly<Record<string, readonly RecordedRun[]>> = table
  return Object.hasOwn(runs, format) ? (runs[format] ?? []) : []
}

/** With which clients an export last ran, such as `Last run with azure-cli 2.81.0`, and what was read in place of a run. */
export function describeRuns({ name, read }: { readonly name: string; readonly read?: string }): string {
  const runs = runsOf(name)
  const ran = `Last run with ${runs.map(({ client, version }) => `${client} ${version}`).join(' and ')}`
  if (read === undefined) return runs.length > 0 ? ran : 'Neither run nor read'
  return runs.length > 0 ? `${ran}; read, not run: ${read}` : `Read, not run: ${read}`
}
