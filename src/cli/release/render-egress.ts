import { egressRows } from '../../lib/endpoints/endpoint-table.ts'
import { VERSION } from '../../lib/settings/version.ts'

/** Who is contacted, when, where and by which setting: nobody else is. For a firewall, or an approval. */
export function renderEgress(): string {
  return `${JSON.stringify({ version: VERSION, egress: egressRows() }, undefined, 2)}\n`
}
