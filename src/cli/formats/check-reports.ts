import { readFileSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { escapeHidden, printable, printableJson } from '../../lib/base/printable.ts'
import type { ErrorCode, WarningCode } from '../../lib/errors.ts'
import { VERSION } from '../../lib/settings/version.ts'
import type { Terminal } from '../terminal.ts'
import { paint, wrap } from '../text.ts'

/** One error or warning about a file. */
export interface FileFinding {
  readonly level: 'error' | 'warning'
  readonly code: ErrorCode | WarningCode
  /** Dotted path, if the finding is about one field. */
  readonly field?: string
  readonly message: string
}

/** The totals of a run. */
interface CheckSummary {
  readonly files: number
  readonly failed: number
  readonly withWarnings: number
}

/** Writes each result at once, so that memory does not grow with the number of files. */
export interface CheckReport {
  file(path: string, findings: readonly FileFinding[], passed: boolean): void
  end(summary: CheckSummary): void
}

function textReport({ print, colors, width }: Terminal): CheckReport {
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

function jsonReport({ print }: Terminal): CheckReport {
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

/** SARIF 2.1.0, for code review tools. Holds findings only: files without findings are absent. */
function sarifReport({ print }: Terminal): CheckReport {
  const rules = new Map<string, object>()
  const results: object[] = []
  return {
    file(path, findings) {
      const text = findings.some(({ field }) => field !== undefined) ? readFileSync(path, 'utf8') : ''
      for (const { code, level, message, field } of findings) {
        if (!rules.has(code)) rules.set(code, { id: code, shortDescription: { text: titleOf(code) } })
        const region = { startLine: field === undefined ? 1 : lineOfField(text, field) }
        const physicalLocation = { artifactLocation: { uri: uriOf(path) }, region }
        results.push({ ruleId: code, level, message: { text: message }, locations: [{ physicalLocation }] })
      }
    },
    end() {
      const driver = { name: 'cloud-profile-service', version: VERSION, rules: [...rules.values()] }
      const $schema = 'https://json.schemastore.org/sarif-2.1.0.json'
      print(printableJson({ $schema, version: '2.1.0', runs: [{ tool: { driver }, results }] }))
    },
  }
}

export const checkReports = { text: textReport, json: jsonReport, sarif: sarifReport } as const

/** `Profile invalid` for `PROFILE_INVALID`. */
function titleOf(code: FileFinding['code']): string {
  return `${code.charAt(0)}${code.slice(1).toLowerCase().replaceAll('_', ' ')}`
}

/** Relative to the working directory, as review tools expect, if the file is inside. */
function uriOf(path: string): string {
  const inside = relative('', path)
  if (inside.startsWith('..') || resolve(inside) === inside) return pathToFileURL(path).href
  return inside.split(sep).map(encodeURIComponent).join('/')
}

/** The line of a field's key, searched from the key of its group; the first line if the field is missing. */
export function lineOfField(text: string, field: string): number {
  let at = 0
  for (const key of field.split('.')) {
    const found = text.indexOf(JSON.stringify(key), at)
    if (found < 0) break
    at = found
  }
  return text.slice(0, at).split('\n').length
}
