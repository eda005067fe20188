import { printable } from '../../lib/base/printable.ts'
import { layers, type Layer } from '../../lib/findings/finding.ts'
import type { MatrixRow } from '../../lib/diagnostics/report.ts'
import { elide, formatTable, wrap } from '../text.ts'
import { paintStatus } from './paint-status.ts'

/** Columns below which a host is better a paragraph than a row. */
const leastName = 24

/** Hosts and how far requests to each of them get, in a width: a table, or where that is too wide a paragraph each. */
export function formatMatrix(hosts: readonly MatrixRow[], width: number, colors: boolean): string {
  const shown = layers.filter((layer) => hosts.some((host) => host.layers[layer] !== undefined))
  const cell = (host: MatrixRow, layer: Layer) => {
    const status = host.layers[layer]?.status
    return status === undefined ? '' : paintStatus(status, colors)
  }
  const room = width - shown.reduce((sum, layer) => sum + Math.max(layer.length, 4) + 2, 0)
  if (room < leastName) {
    return hosts
      .map((host) => {
        const cells = shown.filter((layer) => host.layers[layer] !== undefined)
        // A line breaks between cells, not within one.
        const line = cells.map((layer) => `${layer}\u00a0${cell(host, layer)}`).join('  ')
        return `${nameOf(host)}\n${wrap(`  ${line}`, width)}\n`.replaceAll('\u00a0', ' ')
      })
      .join('')
  }
  const rows = hosts.map((host) => [elide(nameOf(host), room), ...shown.map((layer) => cell(host, layer))])
  return formatTable(['Host', ...shown], rows)
}

function nameOf({ id, host }: MatrixRow): string {
  return `${id}  ${printable(host)}`
}
