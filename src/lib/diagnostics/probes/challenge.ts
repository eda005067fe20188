import type { PipelineResponse } from '@azure/core-rest-pipeline'
import { ServiceError, type NetworkRole } from '../../errors.ts'
import { NetworkError, statusFault } from '../../transport/network-error.ts'
import { responseEvidence } from '../../transport/check-response.ts'
import { withoutUndefined } from '../../base/json.ts'
import type { Observation, Probing } from '../run.ts'
import { withoutAlias, withoutAudienceAlias } from '../../clouds/equal-values.ts'
import { equalUrls, parseHttpUrl } from '../../base/address.ts'
import { showValue } from '../../base/printable.ts'

/** The tokens that a service accepts, from its response to a request without a token. */
export interface Challenge {
  /** The login endpoint, usually with a tenant. */
  readonly authority?: string
  readonly audience?: string
}

/** Characters. Real headers have about 300. */
const longestHeader = 2048

/**
 * Reads a WWW-Authenticate header. The resource manager sends a quoted `authorization_uri`, key vaults send quoted `authorization` and
 * `resource`, and storage sends bare `authorization_uri` and `resource_id` without commas.
 *
 * @returns `undefined` if the header names neither an authority nor an audience for bearer tokens.
 */
export function parseChallenge(header: string): Challenge | undefined {
  const bearer = /(?:^|,\s*)Bearer\s+(.*)$/is.exec(header.slice(0, longestHeader))?.[1]
  if (bearer === undefined) return undefined
  const found = new Map<string, string>()
  for (const [, name = '', quoted, bare] of bearer.matchAll(
    /(?<![a-z_])([a-z_]{1,32})\s{0,2}=\s{0,2}(?:"([^"]*)"|([^\s,"]+))/gi,
  )) {
    const key = name.toLowerCase()
    // A second value belongs to another authentication scheme.
    if (!found.has(key)) found.set(key, quoted ?? bare ?? '')
  }
  const authority = found.get('authorization_uri') ?? found.get('authorization') ?? ''
  const audience = (found.get('resource_id') ?? found.get('resource')) || undefined
  const named = withoutUndefined({ authority: parseHttpUrl(authority) && authority, audience })
  return Object.keys(named).length === 0 ? undefined : named
}

/** The values of a challenge in the form of a profile, for a fix that sets them. */
function challengeEvidence({ authority, audience }: Challenge) {
  return {
    challengeAuthority: authority && `${new URL(withoutAlias(authority)).origin}/`,
    challengeAudience: audience && (audience.endsWith('/') ? audience : `${audience}/`),
  }
}

interface ChallengeExpectation {
  readonly authorityHost: string
  readonly audiences: readonly string[]
  /** The host of the request, for messages. */
  readonly host: string
}

/** @throws {ServiceError} `CHALLENGE_AUTHORITY_MISMATCH` or `CHALLENGE_AUDIENCE_MISMATCH` */
export function compareChallenge(challenge: Challenge, expected: ChallengeExpectation): void {
  const { authorityHost, audiences, host } = expected
  const { authority, audience } = challenge
  const evidence = { host, ...challengeEvidence(challenge) }
  const [theirs, ours] = [authority ?? authorityHost, authorityHost].map((each) => new URL(withoutAlias(each)).host)
  if (theirs !== ours) {
    const message = `${host} expects tokens of ${theirs}, but authorityHost is ${ours}`
    throw new ServiceError('CHALLENGE_AUTHORITY_MISMATCH', message, { evidence })
  }
  const isOurs = (each: string) => equalUrls(withoutAudienceAlias(each), withoutAudienceAlias(audience ?? each))
  if (audiences.some(isOurs)) return
  const message = `${host} expects tokens for ${showValue(audience ?? '')}, but the profile has ${audiences.map(showValue).join(' and ')}`
  throw new ServiceError('CHALLENGE_AUDIENCE_MISMATCH', message, { evidence })
}

/** Checks whether a service expects the authority and the audience of the profile. */
export async function probeChallenge({ endpoint, context: { profile }, check, get }: Probing): Promise<void> {
  const { role, field, protectedResource } = endpoint
  if (protectedResource === undefined) return
  const { authorityHost } = profile
  const { url, headers, audiences, audienceFields } = protectedResource
  await check('challenge', async () => {
    const response = await get(url, headers)
    const challenge = parseChallenge(response.headers.get('www-authenticate') ?? '')
    if (challenge === undefined) return observeMissingChallenge(response, role, url)
    compareChallenge(challenge, { authorityHost, audiences, host: url.host })
    const { authority, audience } = challenge
    const what = audience === undefined ? 'authority' : 'authority and audience'
    // Only the hosts were compared, so a path of the authority isn't proven.
    const hasRoot = authority !== undefined && new URL(authorityHost).pathname === '/'
    const proven = hasRoot ? (['authorityHost'] as const) : []
    return {
      message: `${url.host} expects tokens with the ${what} of the profile`,
      evidence: challengeEvidence(challenge),
      proves: [field ?? [], proven, audience === undefined ? [] : audienceFields].flat(),
    }
  })
}

/** The result for a response without a challenge. Other responses than a refusal come from another server in place of the service. */
function observeMissingChallenge(response: PipelineResponse, role: NetworkRole, url: URL): Observation {
  const { status } = response
  const { host, pathname: path } = url
  const fault = status < 300 ? 'RESPONSE_INVALID' : statusFault(status)
  if (fault === undefined)
    return { status: 'warn', code: 'CHALLENGE_MISSING', message: `${host} returned ${status} and names no authority` }
  const hint = fault === 'RESPONSE_INVALID' ? ' without asking for a token' : ''
  const evidence = { status: String(status), path, ...responseEvidence(response, url) }
  throw new NetworkError(role, fault, `${host} returned ${status} for ${path}${hint}`, { evidence })
}
