import type { PipelineResponse } from '@azure/core-rest-pipeline'
import type { NetworkFault, NetworkRole } from '../../errors.ts'
import { NetworkError } from '../../transport/network-error.ts'
import type { FoundCheck } from '../found-check.ts'
import { responseEvidence } from '../../transport/response-evidence.ts'
import { askHost } from './ask-host.ts'
import { challengeEvidence, compareChallenge, parseChallenge } from './challenge.ts'
import { Layers, type Observation } from './layers.ts'
import { layerSignal, type ProbeContext } from './probe-context.ts'
import { createHostProbes, type HostProbes } from './probe-host.ts'

const resourceManagerSetting = 'resourceManagerAudience (PLATFORM_RESOURCE_MANAGER_AUDIENCE)'

/** A service that is asked without a token, to hear what it expects. */
export interface ChallengeTarget {
  readonly group: string
  readonly role: NetworkRole
  /** An address that wants a token. */
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  /** The audiences of the profile that the service may name. */
  readonly audiences: readonly string[]
  /** Where that audience is set. Default is that of the resource manager. */
  readonly setting?: string
}

/** The host of a service, and whether it expects what the profile has: found out before a token is sent in vain. */
export async function probeChallenge(
  target: ChallengeTarget,
  context: ProbeContext,
  hosts: HostProbes = createHostProbes(context),
): Promise<readonly FoundCheck[]> {
  const { group, role, url, headers = {}, audiences, setting = resourceManagerSetting } = target
  const verdict = await hosts.probe({ group, role, url })
  const layers = new Layers(group, verdict.stopped)
  await layers.ask('challenge', async (): Promise<Observation<void>> => {
    const response = await askHost({ role, url, headers, proxy: verdict.proxy, signal: layerSignal(context) })
    const challenge = parseChallenge(response.headers.get('www-authenticate') ?? '')
    if (challenge === undefined) return observeMissingChallenge(response, role, url)
    const { authorityHost } = context.profile
    compareChallenge(challenge, { authorityHost, audiences, host: url.host, setting })
    const named = challenge.audience === undefined ? 'authority' : 'authority and audience'
    return {
      message: `${url.host} expects tokens with the ${named} of the profile`,
      evidence: challengeEvidence(challenge),
    }
  })
  return [...verdict.checks, ...layers.checks]
}

/** An answer without a challenge: from the service when it refuses, from something else when it does not. */
function observeMissingChallenge(response: PipelineResponse, role: NetworkRole, url: URL): Observation<void> {
  const { status } = response
  const { host, pathname } = url
  const fault = faultOf(status)
  if (fault !== undefined) {
    const hint = fault === 'RESPONSE_INVALID' ? ' without asking for a token' : ''
    throw new NetworkError(role, fault, `${host} answers ${status} for ${pathname}${hint}`, {
      evidence: { status: String(status), ...responseEvidence(response, url) },
    })
  }
  return { status: 'warn', code: 'CHALLENGE_MISSING', message: `${host} answers ${status} and names no authority` }
}

function faultOf(status: number): NetworkFault | undefined {
  if (status < 300) return 'RESPONSE_INVALID'
  if (status < 400) return 'REDIRECTED'
  if (status === 404) return 'NOT_FOUND'
  if (status === 429) return 'THROTTLED'
  return status >= 500 ? 'HTTP_ERROR' : undefined
}
