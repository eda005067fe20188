import { printable } from '../../lib/base/printable.ts'
import type { Check, MatrixRow, Layer } from '../../lib/diagnostics/report.ts'
import { elide, formatTable, paint, type Color } from '../text.ts'

const words = { pass: 'ok', warn: 'warn', fail: 'FAIL', skip: '-' } as const satisfies Record<Check['status'], string>
const colorOf = { pass: 'green', warn: 'yellow', fail: 'red', skip: 'gray' } as const satisfies Record<
  Check['status'],
  Color
>
/** The layers in the order they are passed. */
const order: readonly Layer[] = ['proxy', 'dns', 'tcp', 'tls', 'answer', 'token']

/** Columns below which a host is better a paragraph than a row. */
const leastName = 24

/** Hosts and how far requests to each of them get, in a width: a table, or where that is too wide a paragraph each. */
export function formatMatrix(hosts: readonly MatrixRow[], width: number, colors: boolean): string {
  const shown = order.filter((layer) => hosts.some(({ layers }) => layers[layer] !== undefined))
  const cell = (host: MatrixRow, layer: Layer) => {
    const status = host.layers[layer]?.status
    return status === undefined ? '' : paint(words[status], colorOf[status], colors)
  }
  const room = width - shown.reduce((sum, layer) => sum + Math.max(layer.length, 4) + 2, 0)
  if (room < leastName) {
    return hosts
      .map((host) => {
        const cells = shown.filter((layer) => host.layers[layer] !== undefined)
        return `${nameOf(host)}\n${fill(
          cells.map((layer) => `${layer} ${cell(host, layer)}`),
          width,
        )}`
      })
      .join('')
  }
  const rows = hosts.map((host) => [elide(nameOf(host), room), ...shown.map((layer) => cell(host, layer))])
  return formatTable(['Host', ...shown], rows)
}

function nameOf({ id, host }: MatrixRow): string {
  return `${id}  ${printable(host)}`
}

/** Words in as few indented lines as they fit into. */
function fill(words: readonly string[], width: number): string {
  const lines: string[][] = [[]]
  let used = 0
  for (const word of words) {
    // Colours take no room, and no word is longer than this.
    const length = 'answer FAIL'.length + 2
    if (used + length > width) {
      lines.push([])
      used = 0
    }
    lines.at(-1)?.push(word)
    used += length
  }
  return lines.map((line) => `  ${line.join('  ')}\n`).join('')
}
