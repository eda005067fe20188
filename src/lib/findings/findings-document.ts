import { findings } from './catalog.ts'
import { generalFix } from './explain.ts'
import type { Finding } from './finding.ts'
import { guardFindings } from './guard-findings.ts'
import { hostFindings } from './host-findings.ts'
import { loginFindings } from './login-findings.ts'
import { networkFindings } from './network-findings.ts'
import { startFindings } from './start-findings.ts'
import { symptoms } from './symptoms.ts'
import { tokenFindings } from './token-findings.ts'
import { warningFindings } from './warning-findings.ts'

const chapters: readonly (readonly [string, Readonly<Record<string, Finding>>])[] = [
  ['Profile, settings and credentials', startFindings],
  ['Blocked requests and the OpenID configuration', guardFindings],
  ['Sign-in and tokens', loginFindings],
  ['Managed identity and command-line tool', hostFindings],
  ['Token, resource manager and metadata', tokenFindings],
  ['Network, by host', networkFindings],
  ['Warnings', warningFindings],
]

/** The catalog as one Markdown page. */
export function renderFindings(): string {
  return `${['# Findings', introduction, '## By symptom', bySymptom(), ...chapters.map(renderChapter)].join('\n\n')}\n`
}

const introduction = [
  'Every code that `/api/diagnostics`, the page and the smoke test can report, with its cause and fix.',
  'Generated from the catalog by `npm run generate`.',
].join('\n')

function renderChapter([title, group]: (typeof chapters)[number]): string {
  const sections = Object.entries(group).map(([code, finding]) => renderFinding(code, finding))
  return [`## ${title}`, ...sections].join('\n\n')
}

function bySymptom(): string {
  const all: readonly (readonly [string, Finding])[] = [...Object.entries(findings), ...Object.entries(warningFindings)]
  return symptoms
    .map((symptom) => {
      const codes = all
        .filter(([, finding]) => finding.symptoms?.includes(symptom) ?? false)
        .map(([code]) => `\`${code}\``)
      return `- ${symptom}: ${codes.join(', ')}`
    })
    .join('\n')
}

function renderFinding(code: string, finding: Finding): string {
  const { title, cause, symptoms: codeSymptoms } = finding
  const symptom = codeSymptoms === undefined ? [] : [`- Symptom: ${codeSymptoms.join('; ')}`]
  return [`### ${code}`, '', `${title}.`, '', `- Cause: ${cause}`, `- Fix: ${generalFix(finding)}`, ...symptom].join(
    '\n',
  )
}
