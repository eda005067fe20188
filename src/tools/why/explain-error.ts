import { nearestName } from '../../lib/base/names.ts'
import type { CloudFile, CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { knownCloudOfAuthority } from '../../lib/clouds/equal-values.ts'
import { knownClouds, servicesOf } from '../../lib/clouds/known-clouds.ts'
import type { ServiceName } from '../../lib/clouds/known-files.ts'
import { ownerOf } from '../../lib/clouds/owner-of.ts'
import { findings, fixOf, generalFix, type FindingCode } from '../../lib/findings/catalog.ts'
import type { Evidence } from '../../lib/findings/evidence.ts'
import { faults } from '../../lib/findings/fault-table.ts'
import type { Finding } from '../../lib/findings/finding.ts'
import { networkFinding, type NetworkFault } from '../../lib/findings/network-faults.ts'
import { loginFindings } from '../../lib/findings/login-findings.ts'
import { warningFindings } from '../../lib/findings/warning-findings.ts'
import { codesByName, codesByNumber, reasonsByNumber } from '../../lib/transport/login-responses.ts'
import { codesOfFault } from '../../lib/transport/network-error.ts'

// Finds the codes, numbers and phrases of the findings in the error of any program. All of them come from the tables that the service itself
// uses for its requests. Each pass over the text takes linear time.

/** A host or audience of the text that belongs to a cloud. */
export interface KnownValue {
  readonly value: string
  readonly cloud: string
  readonly service: string
  /** What the profile has in its place. */
  readonly profileValue?: string
}

/** What an error means. It contains no part of the text but signs of the findings, and hosts and audiences of known clouds. */
export interface Explanation {
  /** Code of the finding. Absent if the error is unknown. A fault of an unknown host has no role, such as `UNTRUSTED`. */
  readonly code?: string
  /** What shows it: a code, a number or a phrase. */
  readonly sign?: string
  readonly title?: string
  readonly cause?: string
  readonly fix?: string
  /** Further findings with the same sign. */
  readonly others?: readonly string[]
  /** The known code that is most like an unknown one. */
  readonly nearest?: string
  readonly values: readonly KnownValue[]
}

interface Context {
  /** The profile that the values are compared with. */
  readonly profile?: CloudProfile | undefined
  /** The clouds that are recognized. */
  readonly clouds?: readonly CloudFile[]
}

/** Login findings first: "Token acquisition failed" most often means a wrong credential. */
const catalog: Readonly<Record<string, Finding>> = { ...loginFindings, ...findings, ...warningFindings }

interface Sign {
  readonly sign: string
  readonly codes: readonly string[]
  readonly evidence?: Evidence
}

/** Signs that are one word, in lower case, by how much they tell: the first kind that the text has wins. */
const words: readonly ReadonlyMap<string, Sign>[] = [
  toMap(Object.keys(catalog).map((code) => ({ sign: code, codes: [code] }))),
  toMap(
    [...codesByNumber].map(([number, code]) => {
      const sign = `AADSTS${number}`
      const reason = reasonsByNumber[number]
      return { sign, codes: [code], evidence: { errorNumber: sign, ...(reason !== undefined && { [reason]: sign }) } }
    }),
  ),
  toMap(signsOf(catalog).filter(({ sign }) => /^\w+$/.test(sign))),
  toMap([
    ...Object.entries(codesOfFault).flatMap(([fault, codes]) => codes.map((sign) => ({ sign, codes: [fault] }))),
    ...signsOf(faults).filter(({ sign }) => /^\w+$/.test(sign)),
  ]),
  toMap(Object.entries(codesByName).map(([sign, code]) => ({ sign, codes: [code] }))),
]

/** Phrases: those of one finding, of a network fault, and of several findings. */
const phrases: readonly (readonly Sign[])[] = [
  [],
  [],
  signsOf(catalog).filter(({ sign, codes: [, more] }) => !/^\w+$/.test(sign) && more === undefined),
  // The rows of certificates follow the general one, and tell more.
  signsOf(faults)
    .filter(({ sign }) => !/^\w+$/.test(sign))
    .toReversed(),
  signsOf(catalog).filter(({ codes: [, more] }) => more !== undefined),
]

function toMap(signs: readonly Sign[]): ReadonlyMap<string, Sign> {
  return new Map(signs.map((each) => [each.sign.toLowerCase(), each]))
}

function signsOf(rows: Readonly<Record<string, Pick<Finding, 'title' | 'signs'>>>): Sign[] {
  const codes = new Map<string, string[]>()
  for (const [code, { signs = [] }] of Object.entries(rows))
    for (const sign of signs) codes.set(sign, [...(codes.get(sign) ?? []), code])
  return [...codes].map(([sign, all]) => ({ sign, codes: all }))
}

/** Explains one code: of a finding, of the login authority, of the system or of OpenSSL. */
export function explainCode(code: string, context: Context = {}): Explanation | undefined {
  const name = (/^\d{4,8}$/.test(code) ? `AADSTS${code}` : code).toLowerCase()
  const fault = Object.keys(faults).find((each) => each.toLowerCase() === name)
  const found = words.flatMap((kind) => kind.get(name) ?? [])[0]
  if (found === undefined && fault === undefined) return undefined
  return explain(found ?? { sign: code, codes: [fault ?? ''] }, [], context)
}

/** Explains the most telling sign in a text. A number of the login authority that no finding has makes the whole text unknown. */
export function explainText(text: string, context: Context = {}): Explanation {
  const values = knownValues(text, context)
  const tokens = text.match(/\w+/g) ?? []
  const lower = text.toLowerCase().replaceAll(guessOfAz, '')
  // "TIMEOUT" and its like are words of any text, and a code has an underscore.
  const hasCode = (token: string, rank: number) => rank > 0 || (token.includes('_') && token === token.toUpperCase())
  const found = words.flatMap((kind, rank) => {
    const word = tokens.find(
      (token) => kind.has(token.toLowerCase()) && token.toUpperCase() !== 'UNSPECIFIED' && hasCode(token, rank),
    )
    const sign = phrases[rank]?.find((each) => isIn(lower, each.sign)) ?? (word && kind.get(word.toLowerCase()))
    return sign ? [{ sign, rank }] : []
  })[0]
  const unknownNumber = tokens.some((token) => /^AADSTS\d+$/.test(token)) && (found?.rank ?? 9) > 2
  if (found !== undefined && !unknownNumber) return explain(found.sign, values, context)
  const clouds = new Set(values.map(({ cloud }) => cloud))
  const isForeign =
    context.profile === undefined ? clouds.size > 1 : values.some((each) => each.profileValue !== undefined)
  if (isForeign && !unknownNumber)
    return explain({ sign: [...clouds].join(', '), codes: ['FOREIGN_VALUE'] }, values, context)
  const nearest = tokens
    .filter((token) => /^[A-Z][A-Z0-9_]{5,63}$/.test(token))
    .slice(0, 20)
    .flatMap((token) => nearestCode(token) ?? [])[0]
  return { values, ...(nearest !== undefined && !unknownNumber && { nearest }) }
}

/** The known code that a mistyped one most likely means. */
export function nearestCode(code: string): string | undefined {
  return nearestName(
    code,
    words.slice(0, 4).flatMap((kind) => [...kind.values()].map(({ sign }) => sign)),
  )
}

/** What `az` adds to every failure of TLS. */
const guessOfAz = 'behind a proxy that intercepts traffic with a self-signed certificate'

/** Words between two parts of a phrase. */
const mostBetween = 200
/** A person may type a part of a phrase. */
const leastTyped = 12

function isIn(text: string, sign: string): boolean {
  const [first = '', ...parts] = sign.toLowerCase().split('…')
  const typed = text.trim()
  if (typed.length >= leastTyped && parts.length === 0 && first.includes(typed)) return true
  for (let at = text.indexOf(first); at !== -1; at = text.indexOf(first, at + first.length)) {
    const end = at + first.length
    if (parts.every((part) => text.slice(end, end + mostBetween).includes(part))) return true
  }
  return false
}

function explain(
  { sign, codes, evidence }: Sign,
  values: readonly KnownValue[],
  { profile, clouds }: Context,
): Explanation {
  const [first = '', ...others] = codes
  const { federatedAudience } = profile ?? {}
  const owner = values.find(({ value }) => !value.includes(':'))
  const known = {
    ...evidence,
    ...(owner !== undefined && { host: owner.value }),
    ...(federatedAudience !== undefined && { federatedAudience }),
  }
  const isFault = Object.hasOwn(faults, first)
  const role = owner && (roles[owner.service] ?? 'SERVICE')
  const code = isFault && role !== undefined ? `${role}_${first}` : first
  const finding = catalog[code] ?? networkFinding(anyHost, faults[first as NetworkFault])
  const { text, cause = finding.cause } = Object.hasOwn(findings, code)
    ? fixOf({ code: code as FindingCode, evidence: known })
    : { text: generalFix(finding) }
  // Without a profile, the values of every cloud: the wrong one is the usual fault.
  const audiences = (clouds ?? knownClouds).flatMap((cloud) =>
    cloud.federatedAudience === undefined
      ? []
      : [{ value: cloud.federatedAudience, cloud: cloud.name, service: 'federatedAudience' }],
  )
  const isFederated = code === 'CLIENT_ASSERTION_REJECTED' && profile === undefined && values.length === 0
  return {
    code,
    sign,
    title: finding.title,
    cause,
    fix: text,
    ...(others.length > 0 && { others }),
    values: isFederated ? audiences : values,
  }
}

const anyHost = { name: 'the host', address: 'its address' }
const roles: Readonly<Record<string, string>> = { login: 'AUTHORITY', resourceManager: 'RESOURCE_MANAGER' }

const hostPattern = /^(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}$/
const mostValues = 20

/** The hosts of known clouds in a text, with nothing of the URL around them: that may be an account or a signature. */
function knownValues(text: string, { profile, clouds = knownClouds }: Context): readonly KnownValue[] {
  const names = (text.replaceAll(/%[0-9a-f]{2}/gi, ' ').match(/(?:api:\/\/)?[\w.-]+/g) ?? [])
    .filter((word) => word.length <= 253)
    .map((word) => word.replace(/^[.-]|[.-]$/g, ''))
  const others =
    profile === undefined
      ? clouds
      : clouds.filter((cloud) => knownCloudOfAuthority(profile.authorityHost, [cloud]) === undefined)
  const all = profile === undefined ? clouds : [profile, ...others]
  const found = [...new Set(names)].flatMap((name): KnownValue[] => {
    const audienceOf = all.filter(({ federatedAudience }) => federatedAudience === name)
    const owner = hostPattern.test(name.toLowerCase()) ? ownerOf(name, all) : undefined
    const [cloud, ...more] = owner?.clouds ?? audienceOf
    // A value that clouds share belongs to none.
    if (cloud === undefined || more.length > 0) return []
    const service = owner?.service ?? 'federatedAudience'
    const profileValue = profile === undefined || cloud === profile ? undefined : valueOf(profile, service)
    const value = owner === undefined ? name : name.toLowerCase()
    return [{ value, cloud: cloud.name, service, ...(profileValue !== undefined && { profileValue }) }]
  })
  return found.slice(0, mostValues)
}

function valueOf(profile: CloudProfile, service: string): string {
  const values: Readonly<Record<string, string | undefined>> = {
    login: profile.authorityHost,
    resourceManager: profile.resourceManagerEndpoint,
    portal: profile.portalUrl,
    federatedAudience: profile.federatedAudience,
  }
  const { dnsSuffix, url } = servicesOf(profile)[service as ServiceName] ?? {}
  return values[service] ?? dnsSuffix ?? url ?? 'absent'
}
