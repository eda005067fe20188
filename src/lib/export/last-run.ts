import table from '../../../interop/last-run.json' with { type: 'json' }

/** With which clients an export last ran, such as `Last run with azure-cli 2.81.0`, and what was read in place of a run. `npm run interop` writes the table. */
export function describeRuns({ name, read }: { readonly name: string; readonly read?: string }): string {
  const runs: Readonly<Record<string, readonly string[]>> = table
  const clients = runs[name]?.join(' and ')
  if (clients === undefined) return read === undefined ? 'Neither run nor read' : `Read, not run: ${read}`
  return `Last run with ${clients}${read === undefined ? '' : `; read, not run: ${read}`}`
}
