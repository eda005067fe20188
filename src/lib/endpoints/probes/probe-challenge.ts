import type { PipelineResponse } from '@azure/core-rest-pipeline'
import type { NetworkFault, NetworkRole } from '../../errors.ts'
import { NetworkError } from '../../transport/network-error.ts'
import { responseEvidence } from '../../transport/check-response.ts'
import type { Observation, Probing } from '../endpoint.ts'
import { challengeEvidence, compareChallenge, parseChallenge } from './challenge.ts'

/** Whether a service expects the authority and the audience of the profile: checked before a token is sent in vain. */
export async function probeChallenge({ endpoint, context: { profile }, ask, get }: Probing): Promise<void> {
  const { role, protectedResource } = endpoint
  if (protectedResource === undefined) return
  const { url, headers = {}, audiences, audienceSetting: setting } = protectedResource
  await ask('challenge', async () => {
    const response = await get(url, { headers })
    const challenge = parseChallenge(response.headers.get('www-authenticate') ?? '')
    if (challenge === undefined) return observeMissingChallenge(response, role, url)
    compareChallenge(challenge, { authorityHost: profile.authorityHost, audiences, host: url.host, setting })
    const named = challenge.audience === undefined ? 'authority' : 'authority and audience'
    return {
      message: `${url.host} expects tokens with the ${named} of the profile`,
      evidence: challengeEvidence(challenge),
    }
  })
}

/** A response without a challenge. A refusal comes from the service; any other response comes from another server. */
function observeMissingChallenge(response: PipelineResponse, role: NetworkRole, url: URL): Observation {
  const { status } = response
  const { host, pathname: path } = url
  const fault = faultOf(status)
  if (fault !== undefined) {
    const hint = fault === 'RESPONSE_INVALID' ? ' without asking for a token' : ''
    throw new NetworkError(role, fault, `${host} returned ${status} for ${path}${hint}`, {
      evidence: { status: String(status), path, ...responseEvidence(response, url) },
    })
  }
  return { status: 'warn', code: 'CHALLENGE_MISSING', message: `${host} returned ${status} and names no authority` }
}

function faultOf(status: number): NetworkFault | undefined {
  if (status < 300) return 'RESPONSE_INVALID'
  if (status < 400) return 'REDIRECTED'
  if (status === 404) return 'NOT_FOUND'
  if (status === 429) return 'THROTTLED'
  return status >= 500 ? 'HTTP_ERROR' : undefined
}
