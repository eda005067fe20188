import { nearestName } from '../../lib/base/names.ts'
import type { CloudFile, CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { isSameCloud } from '../../lib/clouds/equal-values.ts'
import { knownClouds } from '../../lib/clouds/known-clouds.ts'
import { ownerOf } from '../../lib/clouds/owner-of.ts'
import { findings, fixOf, generalFix } from '../../lib/findings/catalog.ts'
import type { Evidence } from '../../lib/findings/evidence.ts'
import type { Finding } from '../../lib/findings/finding.ts'
import { faults, networkFinding } from '../../lib/findings/network-faults.ts'
import { loginFindings } from '../../lib/findings/login-findings.ts'
import { warningFindings, type WarningFinding } from '../../lib/findings/warning-findings.ts'
import type { ErrorCode, NetworkFault } from '../../lib/errors.ts'
import { codesByName, codesByNumber } from '../../lib/transport/login-responses.ts'
import { codesOfFault } from '../../lib/transport/network-error.ts'

// This folder explains errors of other programs from the tables of the service. It makes no request and takes linear time.

/** A host or audience in a text, and its cloud. It is foreign if a profile is chosen that belongs to another cloud. */
type KnownValue = {
  readonly value: string
  readonly cloud: string
  readonly service: string
  readonly isForeign?: true
}

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

/** The profile of the program that failed, and the clouds that are recognized. */
type Context = { readonly profile?: CloudProfile | undefined; readonly clouds?: readonly CloudFile[] }
type Sign = { readonly sign: string; readonly code: string; readonly evidence?: Evidence }

/** If several findings have a phrase, the first one wins: "Token acquisition failed" most often means a wrong credential. */
const catalog: Readonly<Record<string, Finding | WarningFinding>> = {
  ...loginFindings,
  ...findings,
  ...warningFindings,
}

const signsOf = (rows: Readonly<Record<string, Pick<Finding, 'title' | 'signs'>>>): readonly Sign[] =>
  Object.entries(rows).flatMap(([code, { signs = [] }]) => signs.map((sign) => ({ sign, code })))

const numbers = [...codesByNumber].map(([number, code]): Sign => {
  const sign = `AADSTS${number}`
  return { sign, code, evidence: { errorNumber: sign } }
})
const symptoms = signsOf(catalog)
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

/** Explains the most specific sign in a text. If the text has an AADSTS number that no finding has, the error is unknown. */
export function explainText(text: string, context: Context = {}): Explanation {
  const values = knownValues(text, context)
  const words = text.match(/\w+/g) ?? []
  const hasNumber = words.some((word) => /^AADSTS\d+$/.test(word))
  const lower = text.toLowerCase().replaceAll(guessOfAz, '')
  const [found] = (hasNumber ? kinds.slice(0, 3) : kinds).flatMap((kind) => findSign(lower, words, kind) ?? [])
  if (found !== undefined) return explain(found, values, context)
  const clouds = new Set(values.map(({ cloud }) => cloud))
  const isForeign = values.some((value) => value.isForeign) || (context.profile === undefined && clouds.size > 1)
  if (hasNumber || !isForeign) return { values }
  return explain({ sign: [...clouds].join(', '), code: 'FOREIGN_VALUE' }, values, context)
}

/** The known code that a mistyped code most likely means. */
export function nearestCode(code: string): string | undefined {
  const known = kinds.slice(0, 4).flatMap((kind) => [...kind.values()].map(([first]) => first?.sign ?? ''))
  return nearestName(code, known)
}

function findSign(text: string, words: readonly string[], kind: (typeof kinds)[number]): Sign | undefined {
  const phrase = [...kind.values()].flat().find(({ sign }) => !/^\w+$/.test(sign) && hasPhrase(text, sign))
  // In a text, a code of a finding counts only with an underscore: without one it could be any word.
  const isSign = (word: string) =>
    word.toUpperCase() !== 'UNSPECIFIED' && (kind !== kinds[0] || /^[A-Z0-9]+_[A-Z0-9_]+$/.test(word))
  return phrase ?? words.flatMap((word) => (isSign(word) ? (kind.get(word.toLowerCase()) ?? []) : []))[0]
}

/** `az` adds this to every failure of TLS. */
const guessOfAz = 'behind a proxy that intercepts traffic with a self-signed certificate'

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
  const { federatedAudience } = profile ?? {}
  const ofCloud = { ...(federatedAudience !== undefined && { federatedAudience }) }
  const evidence = { ...found.evidence, ...(owner !== undefined && { host: owner.value }), ...ofCloud }
  const { text, cause = finding.cause } = Object.hasOwn(findings, code)
    ? fixOf({ code: code as ErrorCode, evidence })
    : { text: generalFix(finding) }
  // Without a profile, the audience of every cloud is shown, because a wrong audience is the usual fault.
  const isFederated = code === 'CLIENT_ASSERTION_REJECTED' && profile === undefined && values.length === 0
  const audiences = clouds.flatMap(({ name, federatedAudience: value }) =>
    value === undefined ? [] : [{ value, cloud: name, service: 'federatedAudience' }],
  )
  const { title } = finding
  const why = { title, ...(cause !== undefined && { cause }), fix: text }
  return { code, sign: found.sign, ...why, values: isFederated ? audiences : values }
}

const hostPattern = /^(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}$/

/** The hosts and audiences of known clouds in a text. Not their URLs, which may contain an account or a signature. */
function knownValues(text: string, { profile, clouds = knownClouds }: Context): readonly KnownValue[] {
  const names = (text.replaceAll(/%[0-9a-f]{2}/gi, ' ').match(/(?:api:\/\/)?[\w.-]+/g) ?? [])
    .filter((word) => word.length <= 253)
    .map((word) => word.replace(/^[.-]|[.-]$/g, ''))
  const all = profile === undefined ? clouds : [profile, ...clouds.filter((cloud) => !isSameCloud(cloud, profile))]
  const found = [...new Set(names)].flatMap((name): KnownValue[] => {
    const host = name.toLowerCase()
    const owner = hostPattern.test(host) ? ownerOf(name, all) : undefined
    const [cloud, ...more] = owner?.clouds ?? all.filter((each) => each.federatedAudience === name)
    // A value that several clouds share belongs to none of them.
    if (cloud === undefined || more.length > 0) return []
    const service = owner?.service ?? 'federatedAudience'
    const isForeign = profile !== undefined && cloud !== profile
    return [{ value: owner === undefined ? name : host, cloud: cloud.name, service, ...(isForeign && { isForeign }) }]
  })
  return found.slice(0, 20)
}
