import { escapeHidden, printable } from '../../lib/base/printable.ts'
import type { FileFinding } from './check-file.ts'
import type { Terminal } from '../terminal.ts'
import { paint, wrap } from '../text.ts'

/** The totals of a run. */
export interface CheckSummary {
  readonly files: number
  readonly failed: number
  readonly withWarnings: number
}

/** Writes each result at once, so that memory does not grow with the number of files. */
export interface CheckReport {
  file(path: string, findings: readonly FileFinding[], passed: boolean): void
  end(summary: CheckSummary): void
}

export function textReport({ print, colors, width }: Terminal): CheckReport {
  const write = (text: string) => print(wrap(text, width))
  return {
    file(path, findings, passed) {
      const verdict = passed ? paint('ok  ', 'green', colors) : paint('FAIL', 'red', colors)
      const lines = findings.map(({ level, code, message }) => {
        const word = level === 'error' ? paint(level, 'red', colors) : paint(level, 'yellow', colors)
        return `      ${word} ${code}: ${printable(message)}\n`
      })
      write(`${verdict}  ${printable(path)}\n${lines.join('')}`)
    },
    end({ files, failed, withWarnings }) {
      write(`\n${files - failed} of ${files} passed, ${failed} failed, ${withWarnings} with warnings\n`)
    },
  }
}

export function jsonReport({ print }: Terminal): CheckReport {
  let separator = '{\n  "files": [\n'
  return {
    file(path, findings, passed) {
      print(`${separator}    ${escapeHidden(JSON.stringify({ path, status: passed ? 'pass' : 'fail', findings }))}`)
      separator = ',\n'
    },
    end(summary) {
      print(`\n  ],\n  "summary": ${JSON.stringify(summary)}\n}\n`)
    },
  }
}
