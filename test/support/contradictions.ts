import type { DiagnosticsReport } from '../../src/lib/diagnostics/report.ts'
import { findingOf } from '../../src/lib/findings/catalog.ts'

/**
 * Where the parts of a report contradict or repeat each other: a node that the root cause blames is green, a node or cell is red that no
 * failed check blames, or the message is the title again.
 */
export function contradictionsOf({ status, rootCause, checks, hosts = [], diagram = [] }: DiagnosticsReport): string[] {
  const failed = checks.filter((check) => check.status === 'fail')
  const red = diagram.filter((node) => node.status === 'fail' || node.edge === 'fail').map(({ id }) => id)
  const green = diagram.filter((node) => node.status === 'pass')
  const failedIds = new Set(failed.map(({ id }) => id))
  const cells = hosts.flatMap(({ id, layers }) =>
    Object.entries(layers).map(([layer, cell]) => ({ id, layer, ...cell })),
  )
  return [
    ...(status === 'failed' && rootCause === undefined ? ['failed without a root cause'] : []),
    ...(rootCause?.message.startsWith(findingOf(rootCause.code).title) === true
      ? ['the message repeats the title']
      : []),
    ...(status !== 'failed' && red.length > 0 ? [`${status}, but ${red.join()} red`] : []),
    ...(failed.length > 0 && red.length === 0 ? ['a failed check, but no red node'] : []),
    ...green
      .filter(({ host }) => host !== undefined && rootCause?.hosts?.includes(host) === true)
      .filter(
        ({ id }) => !hosts.some((row) => row.id !== id && row.host === green.find((node) => node.id === id)?.host),
      )
      .map(({ id }) => `${id} is green, but the root cause blames its host`),
    ...cells
      .filter((cell) => cell.status === 'fail' && !failedIds.has(cell.check))
      .map(({ id, layer }) => `${id} ${layer} is red, but ${layer} passed`),
    ...red
      .filter((id) => ![...hosts.map((row) => row.id), 'workload', 'proxy'].includes(id))
      .map((id) => `${id} is red, but was not probed`),
    ...red
      .filter((id) => hosts.some((row) => row.id === id))
      .filter((id) => !cells.some((cell) => cell.id === id && cell.status === 'fail'))
      .map((id) => `${id} is red, but no cell of its row is`),
  ]
}
