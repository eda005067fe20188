import type { Check } from '../../lib/diagnostics/report.ts'
import { paint, type Color } from '../text.ts'

const shown = {
  pass: ['ok', 'green'],
  warn: ['warn', 'yellow'],
  fail: ['FAIL', 'red'],
  skip: ['skip', 'gray'],
} as const satisfies Record<Check['status'], readonly [string, Color]>

/** A status in a word. @param width Columns that are filled with spaces. Default is none. */
export function paintStatus(status: Check['status'], colors: boolean, width = 0): string {
  const [word, color] = shown[status]
  return paint(word.padEnd(width), color, colors)
}
