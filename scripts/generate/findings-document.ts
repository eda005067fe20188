import type { NetworkFault, NetworkRole } from '../../src/lib/findings/codes.ts'
import { findings, generalFix } from '../../src/lib/findings/catalog.ts'
import type { Finding } from '../../src/lib/findings/finding.ts'
import { guardFindings } from '../../src/lib/findings/guard-findings.ts'
import { loginFindings } from '../../src/lib/findings/login-findings.ts'
import { hostFindings, startFindings } from '../../src/lib/findings/local-findings.ts'
import { faults, networkFinding, networkFindings, subjects } from '../../src/lib/findings/network-faults.ts'
import { tokenFindings } from '../../src/lib/findings/token-findings.ts'
import { warningFindings, type WarningFinding } from '../../src/lib/findings/warning-findings.ts'

type Row = Finding | WarningFinding

const chapters: readonly (readonly [string, Readonly<Record<string, Row>>])[] = [
  ['Profile, settings and credentials', startFindings],
  ['Blocked requests and the OpenID configuration', guardFindings],
  ['Sign-in and tokens', loginFindings],
  ['Managed identity and command-line tool', hostFindings],
  ['Token, resource manager and metadata', tokenFindings],
  ['Warnings', warningFindings],
]

/** The catalog as one Markdown page. */
export function renderFindings(): string {
  const network = ['## Network', networkIntroduction, ...Object.entries<Finding>(faults).map(renderFault)]
  const parts = ['# Findings', introduction, '## By symptom', bySymptom(), ...network, ...chapters.map(renderChapter)]
  return `${parts.join('\n\n')}\n`
}

const introduction = [
  'For operators who look up a code of `/api/diagnostics`, the page, a command or the library. A report often names a more exact fix, from the facts of its run.',
  'Generated from the catalog by `npm run generate`.',
].join('\n')

function renderChapter([title, group]: (typeof chapters)[number]): string {
  const all: Readonly<Record<string, Row>> = { ...findings, ...warningFindings }
  const sections = Object.entries(group).map(([code, finding]) => renderFinding(code, all[code] ?? finding))
  return [`## ${title}`, ...sections].join('\n\n')
}

function bySymptom(): string {
  const codes = new Map<string, string[]>()
  const named = (prefix: string, group: Readonly<Record<string, Pick<Finding, 'title' | 'signs'>>>) => {
    for (const [code, { signs = [] }] of Object.entries(group))
      for (const sign of signs) codes.set(sign, [...(codes.get(sign) ?? []), `\`${prefix}${code}\``])
  }
  named('', { ...findings, ...warningFindings })
  named('…_', faults)
  return [...codes].map(([sign, all]) => `- ${sign.replaceAll('<', '&lt;')}: ${all.join(', ')}`).join('\n')
}

function renderFinding(code: string, finding: Row): string {
  const { cause, text } = generalFix(finding)
  return `### ${code}\n\n**${finding.title}.**${cause && ` ${cause}`}\n**Fix:** ${text}`
}

const networkIntroduction = `A network code is a kind of host and a fault, such as \`AUTHORITY_UNTRUSTED\`. The kinds of host:
${Object.entries(subjects)
  .map(([role, { name }]) => `\`${role}\` (${name})`)
  .join(', ')}.`

const anyHost = { name: 'the host', address: 'its address' }

/** The section of a fault: its texts for any host, and the kinds of host with another cause or fix. */
function renderFault([name, text]: readonly [string, Finding]): string {
  const fault = name as NetworkFault
  const general = networkFinding(anyHost, text)
  const roles = Object.keys(subjects) as NetworkRole[]
  const others = roles.flatMap((role) => {
    const own = networkFindings[`${role}_${fault}`]
    const usual = networkFinding(subjects[role], text)
    if (own.cause === usual.cause && own.fix === usual.fix) return []
    const { cause, text: fix } = generalFix(own)
    return [`- \`${role}_${fault}\`: ${cause} **Fix:** ${fix}`]
  })
  const codes = roles.map((role) => `\`${role}_${fault}\``).join(', ')
  return [renderFinding(`…_${fault}`, general), codes, ...(others.length === 0 ? [] : [others.join('\n')])].join('\n\n')
}
