import type { FileFinding } from './check-file.ts'
import { hasColors, paint, printable } from './print.ts'

/** How the run stands, or ended. */
export interface CheckSummary {
  readonly files: number
  readonly failed: number
  readonly withWarnings: number
}

/** Writes a run as it goes along, so that a run over many files needs no more memory than one over few. */
export interface CheckReport {
  file(path: string, findings: readonly FileFinding[], passed: boolean): void
  end(summary: CheckSummary): void
}

export type Write = (text: string) => void

export function textReport(write: Write): CheckReport {
  const colors = hasColors(process.stdout)
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

export function jsonReport(write: Write): CheckReport {
  let separator = '{\n  "files": [\n'
  return {
    file(path, findings, passed) {
      write(`${separator}    ${JSON.stringify({ path, status: passed ? 'pass' : 'fail', findings })}`)
      separator = ',\n'
    },
    end(summary) {
      write(`\n  ],\n  "summary": ${JSON.stringify(summary)}\n}\n`)
    },
  }
}
