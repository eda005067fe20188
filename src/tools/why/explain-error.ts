import { withoutUndefined } from '../../lib/base/json.ts'
import { nearestName } from '../../lib/base/names.ts'
import { knownClouds, servicesOf } from '../../lib/clouds/known-clouds.ts'
import { findings, fixOf, generalFix } from '../../lib/findings/catalog.ts'
import { signsIn } from '../../lib/findings/choose-case.ts'
import type { Evidence } from '../../lib/findings/evidence.ts'
import type { Finding } from '../../lib/findings/finding.ts'
import { faults, networkFinding } from '../../lib/findings/network-faults.ts'
import { loginFindings } from '../../lib/findings/login-findings.ts'
import { warningFindings, type WarningFinding } from '../../lib/findings/warning-findings.ts'
import type { ErrorCode, NetworkFault } from '../../lib/errors.ts'
import { codesByName, codesByNumber } from '../../lib/transport/login-responses.ts'
import { codesOfFault } from '../../lib/transport/network-error.ts'
import { cloudIn, type Context, type KnownValue, knownValues, readSubject, wrongValue } from './known-values.ts'

// This folder explains errors of other programs from the tables of the service. It makes no request and takes linear time.

/** The meaning of an error. From the error text it contains only signs of the findings, and hosts and audiences of known clouds. */
export interface Explanation {
  /** Code of the finding, or a network fault such as `UNTRUSTED` if the host is unknown. Absent if the error is unknown. */
  readonly code?: string
  /** The code, number or phrase in the text that has this meaning. */
  readonly sign?: string
  readonly title?: string
  readonly cause?: string
  readonly fix?: string
  readonly values: readonly KnownValue[]
}

type Sign = { readonly sign: string; readonly code: string; readonly evidence?: Evidence }

/** If several findings have a phrase, the first one wins: "Token acquisition failed" most often means a wrong credential. */
const catalog: Readonly<Record<string, Finding | WarningFinding>> = {
  ...loginFindings,
  ...findings,
  ...warningFindings,
}

const signsOf = (rows: Readonly<Record<string, Pick<Finding, 'title' | 'signs'>>>): readonly Sign[] =>
  Object.entries(rows).flatMap(([code, { signs = [] }]) => signs.map((sign) => ({ sign, code })))

const numbers = [...codesByNumber]
  .map(([number, code]) => ({ sign: `AADSTS${number}`, code }))
  .map(({ sign, code }): Sign => ({ sign, code, evidence: { errorNumber: sign } }))
/** Phrases that select a case of a finding. */
const phrases = Object.entries<Finding>(findings).flatMap(([code, { cases = [] }]) =>
  cases.flatMap(signsIn).map((sign): Sign => ({ sign, code, evidence: { sign } })),
)
const symptoms = [...phrases, ...signsOf(catalog)]
const isShared = ({ sign, code }: Sign): boolean => symptoms.some((each) => each.sign === sign && each.code !== code)

const bySign = (signs: readonly Sign[]) => Map.groupBy(signs, ({ sign }) => sign.toLowerCase())

/** Signs, the most specific kind first. A sign is a word, or a phrase with `…` for any words. */
const kinds: readonly ReadonlyMap<string, readonly Sign[]>[] = [
  Object.keys(catalog).map((code) => ({ sign: code, code })),
  numbers,
  symptoms.filter((each) => !isShared(each)),
  // Reversed, because the rows of certificates are more specific than the general row before them.
  [
    ...Object.entries(codesOfFault).flatMap(([code, signs]) => signs.map((sign) => ({ sign, code }))),
    ...signsOf(faults).toReversed(),
  ],
  [...Object.entries(codesByName).map(([sign, code]) => ({ sign, code })), ...symptoms.filter(isShared)],
].map(bySign)

/** Explains a code of a finding, of the login authority, of the system or of OpenSSL. */
export function explainCode(code: string, context: Context = {}): Explanation | undefined {
  const name = (/^\d{4,8}$/.test(code) ? `AADSTS${code}` : code).toLowerCase()
  // Any text may contain a word such as "TIMEOUT", so it is a code only by itself.
  const faultNames = bySign(Object.keys(faults).map((fault) => ({ sign: fault, code: fault })))
  const [found] = [...kinds, faultNames].flatMap((kind) => kind.get(name) ?? [])
  return found && explain(found, [], context)
}

/** Explains the most specific sign in a text. A host or audience of another cloud in it decides what to do. An unknown AADSTS number stays unknown. */
export function explainText(text: string, given: Context = {}): Explanation {
  const subject = readSubject(text)
  const context = { ...given, cloud: given.profile ?? cloudIn(text, subject, given.clouds) }
  const values = knownValues(text, context)
  const words = text.match(/\w+/g) ?? []
  const hasNumber = words.some((word) => /^AADSTS\d+$/.test(word))
  // `az` adds this guess to every failure of TLS.
  const guess = 'behind a proxy that intercepts traffic with a self-signed certificate'
  const lower = text.toLowerCase().replaceAll(guess, '')
  const [sign] = (hasNumber ? kinds.slice(0, 3) : kinds).flatMap((kind) => findSign(lower, words, kind) ?? [])
  const wrong = wrongValue(subject, sign?.code, values, context)
  const clouds = new Set(values.map(({ cloud }) => cloud))
  const foreign = values.find(({ isForeign }) => isForeign)?.value
  const isMixed = given.profile === undefined && clouds.size > 1
  if (sign === undefined && (hasNumber || (foreign === undefined && !isMixed && wrong === undefined))) return { values }
  const code = subject.refused === undefined ? 'FOREIGN_VALUE' : 'TOKEN_AUDIENCE_MISMATCH'
  const found: Sign = sign ?? { code, sign: subject.refused ?? foreign ?? [...clouds].join(', ') }
  const scope = withoutUndefined({ scope: subject.refused })
  const evidence = { ...found.evidence, ...scope, ...timesIn(text), ...issuersIn(text, found.code, given) }
  return { ...explain({ ...found, evidence }, values, context), ...(decidesOn(found.code) && wrong) }
}

const decisive =
  /^(?:RESOURCE_UNKNOWN|SCOPE_INVALID|TENANT_UNKNOWN|TENANT_OF_ANOTHER_CLOUD|CLIENT_UNKNOWN|MANAGED_IDENTITY_REJECTED|FOREIGN_VALUE|TOKEN_AUDIENCE_MISMATCH|TOKEN_ISSUER_MISMATCH|\w+_REJECTED_TOKEN|\w+_FORBIDDEN)$/
/** Whether a wrong host or audience explains a failure better than its general fix does. */
const decidesOn = (code: string): boolean =>
  decisive.test(code) || Object.keys(faults).some((fault) => code === fault || code.endsWith(`_${fault}`))

/** Whether the current time in the text of a refused assertion is outside of the two times after it. */
function timesIn(text: string): Evidence {
  const times = (text.match(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g) ?? []).map((time) => Date.parse(time))
  const [now = 0, from = 0, until = Infinity] = times.length < 3 ? [] : times
  return now > until ? { problem: 'expired assertion' } : now < from ? { problem: 'early assertion' } : {}
}

/** Whether the issuers in a text are names of one authority. */
function issuersIn(text: string, code: string, { clouds = knownClouds }: Context): Evidence {
  if (code !== 'ISSUER_MISMATCH' && code !== 'TOKEN_ISSUER_MISMATCH') return {}
  const hosts = new Set((text.match(/https:\/\/[\w.-]+/g) ?? []).map((url) => new URL(url).hostname))
  const isOne = clouds.some(({ authorityHost = '', aliases: { authorityHosts = [], issuers = [] } = {} }) => {
    const names = new Set([authorityHost, ...authorityHosts, ...issuers].map((each) => URL.parse(each)?.hostname))
    return [...hosts].every((host) => names.has(host))
  })
  return hosts.size > 1 && isOne ? { problem: 'one authority' } : {}
}

/** The known code that a mistyped code most likely means. A number is another error than the next one, so it has no likely meaning. */
export function nearestCode(code: string): string | undefined {
  if (/\d{4}$/.test(code)) return undefined
  const known = kinds.slice(0, 4).flatMap((kind) => [...kind.values()].map(([first]) => first?.sign ?? ''))
  return nearestName(code, known)
}

function findSign(text: string, words: readonly string[], kind: (typeof kinds)[number]): Sign | undefined {
  const phrase = [...kind.values()].flat().find(({ sign }) => !/^\w+$/.test(sign) && hasPhrase(text, sign))
  // In a text, a code of a finding counts only with an underscore: without one it could be any word.
  const isSign = (word: string) =>
    word.toUpperCase() !== 'UNSPECIFIED' && (kind !== kinds[0] || /^[A-Z0-9]+_[A-Z0-9_]+$/.test(word))
  const found = words.flatMap((word) => (isSign(word) ? (kind.get(word.toLowerCase()) ?? []) : []))
  // An inner number says more than the one that contains it.
  return phrase ?? (kind === kinds[1] ? found.at(-1) : found[0])
}

function hasPhrase(text: string, sign: string): boolean {
  const [first = '', ...parts] = sign.toLowerCase().split('…')
  // A person may type only a part of a phrase.
  if (text.length >= 12 && parts.length === 0 && first.includes(text.trim())) return true
  for (let at = text.indexOf(first); at !== -1; at = text.indexOf(first, at + first.length)) {
    const rest = text.slice(at + first.length, at + first.length + 200)
    if (parts.every((part) => rest.indexOf(part) !== -1)) return true
  }
  return false
}

const roles: Readonly<Record<string, string>> = { login: 'AUTHORITY', resourceManager: 'RESOURCE_MANAGER' }

function explain(found: Sign, values: readonly KnownValue[], { profile, clouds = knownClouds }: Context): Explanation {
  const owner = values.find(({ value }) => !value.includes(':'))
  const isFault = Object.hasOwn(faults, found.code)
  const code = isFault && owner !== undefined ? `${roles[owner.service] ?? 'SERVICE'}_${found.code}` : found.code
  const finding =
    catalog[code] ?? networkFinding({ name: 'the host', address: 'its address' }, faults[found.code as NetworkFault])
  const isSql = found.evidence?.sign?.includes('login failed') === true
  const sql = isSql && profile ? servicesOf(profile).sqlServer?.audience : undefined
  const evidence = withoutUndefined({
    ...found.evidence,
    host: owner?.value,
    federatedAudience: profile?.federatedAudience,
    scopeToUse: sql && `${sql}.default`,
  })
  const { text, cause } = Object.hasOwn(findings, code)
    ? fixOf({ code: code as ErrorCode, evidence })
    : generalFix(finding)
  // Without a profile, the audience of every cloud is shown, because a wrong audience is the usual fault.
  const isFederated = code === 'CLIENT_ASSERTION_REJECTED' && profile === undefined && values.length === 0
  const audiences = clouds.flatMap(({ name, federatedAudience: value }) =>
    value === undefined ? [] : [{ value, cloud: name, service: 'federatedAudience' }],
  )
  const why = { title: finding.title, ...(cause !== '' && { cause }), fix: text }
  return { code, sign: found.sign, ...why, values: isFederated ? audiences : values }
}
