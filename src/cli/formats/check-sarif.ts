import { printableJson } from '../../lib/base/printable.ts'
import { readFileSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { SarifBuilder, SarifResultBuilder, SarifRuleBuilder, SarifRunBuilder } from 'node-sarif-builder'
import { VERSION } from '../../lib/settings/version.ts'
import type { CheckReport, FileFinding } from '../commands/check.ts'
import type { Terminal } from '../terminal.ts'

/** SARIF 2.1.0, for code review tools. Holds findings only: files without findings are absent. */
export function sarifReport({ print }: Terminal): CheckReport {
  const run = new SarifRunBuilder().initSimple({
    toolDriverName: 'cloud-profile-service',
    toolDriverVersion: VERSION,
  })
  const rules = new Set<string>()
  return {
    file(path, findings) {
      const text = findings.some(({ field }) => field !== undefined) ? readFileSync(path, 'utf8') : ''
      for (const finding of findings) {
        const { code, level, message, field } = finding
        if (!rules.has(code)) {
          rules.add(code)
          run.addRule(new SarifRuleBuilder({ id: code, shortDescription: { text: titleOf(code) } }))
        }
        run.addResult(
          new SarifResultBuilder().initSimple({
            ruleId: code,
            level,
            messageText: message,
            fileUri: uriOf(path),
            startLine: field === undefined ? 1 : lineOfField(text, field),
          }),
        )
      }
    },
    end() {
      const log = new SarifBuilder()
      log.addRun(run)
      print(printableJson(log.buildSarifOutput()))
    },
  }
}

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
