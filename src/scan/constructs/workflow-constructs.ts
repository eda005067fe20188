import { isMap, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml'
import type { ConstructPlace } from './construct.ts'

/** Login steps of a workflow that name no cloud. A file that is not YAML has none. */
export function findLoginSteps(source: string): readonly ConstructPlace[] {
  const lines = new LineCounter()
  const document = parseDocument(source, { lineCounter: lines, strict: false, logLevel: 'silent' })
  const places: ConstructPlace[] = []
  visit(document, {
    Map(_key, step) {
      const uses = step.get('uses', true)
      if (!isScalar(uses) || typeof uses.value !== 'string' || !/^azure\/login@/i.test(uses.value)) return
      const given = step.get('with', true)
      if (isMap(given) ? given.has('environment') : given !== undefined && !isSeq(given)) return
      const { line, col } = lines.linePos(uses.range?.[0] ?? 0)
      places.push({ row: line - 1, column: col - 1, name: uses.value, kind: 'login-step' })
    },
  })
  return places
}
