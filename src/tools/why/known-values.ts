import { withoutFinalSlashes } from '../../lib/base/address.ts'
import type { CloudFile, CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { counterpartOf } from '../../lib/clouds/counterpart.ts'
import { isSameCloud } from '../../lib/clouds/equal-values.ts'
import { knownClouds } from '../../lib/clouds/known-clouds.ts'
import { ownerOf } from '../../lib/clouds/owner-of.ts'

// The hosts and audiences in the error text of a program: which of them was refused, whose they are, and what to use instead.

/** A host or audience in a text, and its cloud. It is foreign if the cloud of the program has another value instead. */
export type KnownValue = {
  readonly value: string
  /** `no cloud` for a host that no cloud has. */
  readonly cloud: string
  readonly service: string
  readonly isForeign?: true
  /** What to use instead. */
  readonly use?: string
}

/** The profile of the program that failed, and the clouds that are recognized. */
export type Context = {
  readonly profile?: CloudProfile | undefined
  readonly clouds?: readonly CloudFile[]
  /** The profile, or the cloud that the text itself names. */
  readonly cloud?: CloudFile | undefined
}

const hostPattern = /^(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}$/

/** The hosts and audiences of known clouds in a text. Not their URLs, which may contain an account or a signature. */
export function knownValues(
  text: string,
  { profile, cloud: chosen, clouds = knownClouds }: Context,
): readonly KnownValue[] {
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

export function readSubject(text: string): TextSubject {
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
export function cloudIn(text: string, { expected }: TextSubject, clouds = knownClouds): CloudFile | undefined {
  const ofExpected = expected.flatMap((each) => ownerOf(each, clouds)?.clouds ?? [])
  const logins = (text.match(/[\w.-]+/g) ?? []).flatMap((word) => {
    const owner = word.includes('.') ? ownerOf(word, clouds) : undefined
    return owner?.service === 'login' && owner.clouds.length === 1 ? owner.clouds : []
  })
  const all = [...new Set(ofExpected.length > 0 ? ofExpected : logins)]
  return all.length === 1 ? all[0] : undefined
}

/** The fix for a value in a text that the cloud of the program has not. An audience that the service expects says the most. */
export function wrongValue(
  { refused, isScope = false, expected }: TextSubject,
  code: string | undefined,
  values: readonly KnownValue[],
  { cloud, clouds = knownClouds, profile }: Context,
) {
  const as = isScope || code === 'SCOPE_INVALID' ? 'scope' : 'audience'
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
