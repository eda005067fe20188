import { egressRows } from '../../src/lib/diagnostics/endpoint-table.ts'
import { VERSION } from '../../src/lib/settings/version.ts'

/** Every contact: who, when, where, and by which setting. For a firewall, or an approval. */
export function renderEgress(): string {
  return `${JSON.stringify({ version: VERSION, egress: egressRows() }, undefined, 2)}\n`
}
