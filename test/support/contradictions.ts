import type { DiagnosticsReport } from '../../src/lib/diagnostics/report.ts'
import { findingOf } from '../../src/lib/findings/catalog.ts'

/** Where the parts of a report contradict or repeat each other. */
export function contradictionsOf({ status, rootCause, checks, hosts, diagram }: DiagnosticsReport): string[] {
  const failed = checks.filter((check) => check.status === 'fail')
  const red = diagram.filter((node) => node.status === 'fail' || node.edge === 'fail').map(({ id }) => id)
  const green = diagram.filter((node) => node.status === 'pass')
  const failedIds = new Set(failed.map(({ id }) => id))
  const redCells = hosts.flatMap(({ id, layers }) =>
    Object.entries(layers).flatMap(([layer, cell]) => (cell.status === 'fail' ? [{ id, layer, ...cell }] : [])),
  )
  const isProbed = (id: string) => hosts.some((row) => row.id === id)
  const isShared = (host: string, id: string) => hosts.some((row) => row.id !== id && row.host === host)
  const whole: readonly (readonly [boolean | undefined, string])[] = [
    [status === 'failed' && rootCause === undefined, 'failed without a root cause'],
    [rootCause?.message.startsWith(findingOf(rootCause.code).title), 'the message repeats the title'],
    [status !== 'failed' && red.length > 0, `${status}, but ${red.join()} red`],
    [failed.length > 0 && red.length === 0, 'a failed check, but no red node'],
  ]
  return [
    ...whole.flatMap(([isSo, what]) => (isSo === true ? [what] : [])),
    ...green
      .filter(({ id, host = '' }) => rootCause?.hosts?.includes(host) === true && !isShared(host, id))
      .map(({ id }) => `${id} is green, but the root cause blames its host`),
    ...redCells
      .filter((cell) => !failedIds.has(cell.check))
      .map(({ id, layer }) => `${id} ${layer} is red, but ${layer} passed`),
    ...red
      .filter((id) => !isProbed(id) && !['workload', 'proxy'].includes(id))
      .map((id) => `${id} is red, but was not probed`),
    ...red
      .filter((id) => isProbed(id) && !redCells.some((cell) => cell.id === id))
      .map((id) => `${id} is red, but no cell of its row is`),
  ]
}
