import { withoutFinalSlashes } from '../../lib/base/address.ts'
import { withoutUndefined } from '../../lib/base/json.ts'
import { nearestName } from '../../lib/base/names.ts'
import type { CloudFile, CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { counterpartOf } from '../../lib/clouds/counterpart.ts'
import { isSameCloud } from '../../lib/clouds/equal-values.ts'
import { knownClouds, servicesOf } from '../../lib/clouds/known-clouds.ts'
import { ownerOf } from '../../lib/clouds/owner-of.ts'
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

// This folder explains errors of other programs from the tables of the service. It makes no request and takes linear time.

/** A host or audience in a text, and its cloud. It is foreign if the cloud of the program has another value instead. */
type KnownValue = {
  readonly value: string
  /** `no cloud` for a host that no cloud has. */
  readonly cloud: string
  readonly service: string
  readonly isForeign?: true
  /** What to use instead. */
  readonly use?: string
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
type Context = {
  readonly profile?: CloudProfile | undefined
  readonly clouds?: readonly CloudFile[]
  /** The profile, or the cloud that the text itself names. */
  readonly cloud?: CloudFile | undefined
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
  cases.flatMap((each) => signsIn(each).map((sign): Sign => ({ sign, code, evidence: { sign } }))),
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

/**
 * Explains the most specific sign in a text. A host or an audience of another cloud in the same text decides what to do. If the text has an
 * AADSTS number that no finding has, the error is unknown.
 */
export function explainText(text: string, given: Context = {}): Explanation {
  const subject = readSubject(text)
  const context = { ...given, cloud: given.profile ?? cloudIn(text, subject, given.clouds) }
  const values = knownValues(text, context)
  const words = text.match(/\w+/g) ?? []
  const hasNumber = words.some((word) => /^AADSTS\d+$/.test(word))
  const lower = text.toLowerCase().replaceAll(guessOfAz, '')
  const [sign] = (hasNumber ? kinds.slice(0, 3) : kinds).flatMap((kind) => findSign(lower, words, kind) ?? [])
  const wrong = wrongValue(subject, sign?.code, values, context)
  const clouds = new Set(values.map(({ cloud }) => cloud))
  const foreign = values.find(({ isForeign }) => isForeign)?.value
  const isMixed = given.profile === undefined && clouds.size > 1
  if (sign === undefined && (hasNumber || (foreign === undefined && !isMixed && wrong === undefined))) return { values }
  const scope = withoutUndefined({ scope: subject.refused })
  const found: Sign = sign
    ? { ...sign, evidence: { ...sign.evidence, ...scope, ...timesIn(text), ...issuersIn(text, sign.code, given) } }
    : {
        sign: subject.refused ?? foreign ?? [...clouds].join(', '),
        code: subject.refused === undefined ? 'FOREIGN_VALUE' : 'TOKEN_AUDIENCE_MISMATCH',
      }
  return { ...explain(found, values, context), ...(decidesOn(found.code) && wrong) }
}

/** Whether a wrong host or audience explains a failure better than its general fix does. */
const decidesOn = (code: string): boolean =>
  /^(?:RESOURCE_UNKNOWN|SCOPE_INVALID|TENANT_UNKNOWN|TENANT_OF_ANOTHER_CLOUD|CLIENT_UNKNOWN|MANAGED_IDENTITY_REJECTED|FOREIGN_VALUE|TOKEN_AUDIENCE_MISMATCH|TOKEN_ISSUER_MISMATCH|\w+_REJECTED_TOKEN|\w+_FORBIDDEN)$/.test(
    code,
  ) || Object.keys(faults).some((fault) => code === fault || code.endsWith(`_${fault}`))

/** The refused scope or audience in a text, and the audiences that it names as expected. */
interface TextSubject {
  readonly refused: string | undefined
  readonly isScope?: boolean
  readonly expected: readonly string[]
}

/** An audience: a URL, or an application id. */
const audience = /['"<]?((?:https?|api|spn):[\w.:/*-]{3,200}|[\da-f]{8}-[\da-f-]{27}[\w./]{0,200})/i
/** Characters in which an audience must begin and end. */
const reach = 400

/** The words before a refused audience, the most specific ones first. */
const refusals = [
  /resource principal named /gi,
  /audience /gi,
  /audiences?: /gi,
  /\bfound: ?/gi,
  /audience or resource /gi,
  /obtained (?:from|for) (?:the )?(?:wrong )?(?:audience|resource) /gi,
  /(?:invalid|unknown) resource[ :]{0,3}/gi,
  /resource /gi,
]

/** The first audience that directly follows one of these words. @param end What must follow the audience. */
function audienceAfter(words: RegExp, text: string, end = /^/): string | undefined {
  for (const { index, 0: found } of text.matchAll(words)) {
    const rest = text.slice(index + found.length, index + found.length + reach)
    const match = audience.exec(rest)
    if (match?.index === 0 && end.test(rest.slice(match[0].length))) return trimmed(match[1] ?? '')
  }
  return undefined
}

function readSubject(text: string): TextSubject {
  const wanted = /(?:allowed audiences?|supported audiences?|expected|did not match|must match|valid ?audiences?)/gi
  const audiences = [...text.matchAll(wanted)].map(({ index }) => audience.exec(text.slice(index, index + reach))?.[1])
  const challenge = /\bresource(?:_id)?=["']?([^\s"',]{3,200})/i.exec(text)?.[1]
  const expected = [...audiences, challenge].flatMap((each) => (each === undefined ? [] : trimmed(each)))
  const scope = audienceAfter(/\bscopes?:? /gi, text, /^[^'"]{0,200}?['"]? (?:is|are) not valid/i)
  if (scope !== undefined) return { refused: scope, isScope: true, expected }
  const others = refusals.flatMap((words) => audienceAfter(words, text) ?? [])
  return { refused: others.find((each) => !expected.includes(each)), expected }
}

const trimmed = (value: string): string => value.replace(/[.:,]{1,4}$/, '')

/** The cloud that a text itself names: by the audience that a service expects, or by the one login authority in it. */
function cloudIn(text: string, { expected }: TextSubject, clouds = knownClouds): CloudFile | undefined {
  const ofExpected = expected.flatMap((each) => ownerOf(each, clouds)?.clouds ?? [])
  const logins = (text.match(/[\w.-]+/g) ?? []).flatMap((word) => {
    const owner = word.includes('.') ? ownerOf(word, clouds) : undefined
    return owner?.service === 'login' && owner.clouds.length === 1 ? owner.clouds : []
  })
  const all = [...new Set(ofExpected.length > 0 ? ofExpected : logins)]
  return all.length === 1 ? all[0] : undefined
}

/** The fix for a value in a text that the cloud of the program has not. An audience that the service expects says the most. */
function wrongValue(
  { refused, isScope, expected }: TextSubject,
  code: string | undefined,
  values: readonly KnownValue[],
  { cloud, clouds = knownClouds, profile }: Context,
): Partial<Explanation> | undefined {
  const as = isScope === true || code === 'SCOPE_INVALID' ? 'scope' : 'audience'
  const host = profile && values.find((each) => each.isForeign && each.service !== 'federatedAudience')
  const found =
    (refused === undefined ? undefined : counterpartOf(refused, { cloud, clouds, as })) ??
    (host && counterpartOf(host.value, { cloud, clouds, as: 'host' }))
  const wanted = expected.find((each) => cloud === undefined || counterpartOf(each, { cloud, clouds }) === undefined)
  if (refused !== undefined && wanted !== undefined && ownerOf(wanted, clouds)?.service !== found?.service) {
    const fix = `Request the scope ${withoutFinalSlashes(wanted)}/.default, which the service expects.`
    return { cause: `The token is for ${refused}, but the service expects ${wanted}.`, fix }
  }
  if (found === undefined) return undefined
  // A host or URL keeps its case.
  const cause = `${found.reason.replace(/^[a-z](?=\w* )/, (letter) => letter.toUpperCase())}.`
  if (cloud !== undefined) return { cause, fix: `${found.use}.` }
  const all = clouds.flatMap((each): KnownValue[] => {
    const { scope: value, service = '' } = counterpartOf(found.value, { cloud: each, clouds, as }) ?? {}
    return value === undefined ? [] : [{ value, cloud: each.name, service }]
  })
  const fix = `Request the scope of the cloud that the program is for. Add --cloud NAME for a whole answer.`
  return { cause, fix, values: [...values, ...all] }
}

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

const hostPattern = /^(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}$/

/** The hosts and audiences of known clouds in a text. Not their URLs, which may contain an account or a signature. */
function knownValues(text: string, { profile, cloud: chosen, clouds = knownClouds }: Context): readonly KnownValue[] {
  const names = (text.replaceAll(/%[0-9a-f]{2}/gi, ' ').match(/(?:api:\/\/)?[\w.-]+/g) ?? [])
    .filter((word) => word.length <= 253)
    .map((word) => word.replace(/^[.-]|[.-]$/g, ''))
  const all = profile === undefined ? clouds : [profile, ...clouds.filter((cloud) => !isSameCloud(cloud, profile))]
  const found = [...new Set(names)].flatMap((name): KnownValue[] => {
    const host = name.toLowerCase()
    const isHost = hostPattern.test(host)
    const instead = isHost ? counterpartOf(host, { cloud: chosen, clouds, as: 'host' }) : undefined
    const more = profile && instead && { isForeign: true as const, use: instead.use }
    const owner = isHost ? ownerOf(name, all) : undefined
    const [cloud, ...others] = owner?.clouds ?? all.filter((each) => each.federatedAudience === name)
    if (cloud === undefined && instead?.owner === undefined && instead?.service !== undefined)
      return [{ value: host, cloud: 'no cloud', service: instead.service, ...more }]
    // A value that several clouds share belongs to none of them.
    if (cloud === undefined || others.length > 0) return []
    const isOther = owner === undefined && profile !== undefined && cloud !== profile
    const known = { value: isHost ? host : name, cloud: cloud.name, service: owner?.service ?? 'federatedAudience' }
    return [{ ...known, ...more, ...(isOther && { isForeign: true }) }]
  })
  return found.slice(0, 20)
}
