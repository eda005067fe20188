import { egressRows } from '../../lib/endpoints/endpoint-table.ts'
import { VERSION } from '../../lib/settings/version.ts'

/** Every contact: who, when, where, and by which setting. For a firewall, or an approval. */
export function renderEgress(): string {
  return `${JSON.stringify({ version: VERSION, egress: egressRows() }, undefined, 2)}\n`
}
