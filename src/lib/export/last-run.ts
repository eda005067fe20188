import table from '../../../interop/last-run.json' with { type: 'json' }
import { inComment } from './quote.ts'

/**
 * The clients an export last ran with, such as `azure-cli 2.81.0`; nothing when no run is on record. `npm run interop`
 * writes the table: names and versions of clients by name of export.
 */
export function lastRunOf(format: string): string | undefined {
  const clients: Readonly<Record<string, readonly string[]>> = table
  const found = Object.hasOwn(clients, format) ? (clients[format] ?? []) : []
  return found.length === 0 ? undefined : found.map((client) => inComment(client)).join(' and ')
}
