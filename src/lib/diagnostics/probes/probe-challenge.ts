import type { PipelineResponse } from '@azure/core-rest-pipeline'
import type { NetworkFault, NetworkRole } from '../../errors.ts'
import { NetworkError } from '../../transport/network-error.ts'
import type { Check } from '../report.ts'
import { askHost } from './ask-host.ts'
import { compareChallenge, parseChallenge } from './challenge.ts'
import { Layers, type Answer } from './layers.ts'
import { layerSignal, type ProbeContext } from './probe-context.ts'
import { createHostProbes, type HostProbes } from './probe-host.ts'

/** A service that is asked without a token, to hear what it expects. */
export interface ChallengeTarget {
  readonly group: string
  readonly role: NetworkRole
  /** An address that wants a token. */
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  /** The audiences of the profile that the service may name. */
  readonly audiences: readonly string[]
}

/** The host of a service, and whether it expects what the profile has: found out before a token is sent in vain. */
export async function probeChallenge(
  target: ChallengeTarget,
  context: ProbeContext,
  hosts: HostProbes = createHostProbes(context),
): Promise<readonly Check[]> {
  const { group, role, url, headers = {}, audiences } = target
  const verdict = await hosts.probe({ group, role, url })
  const layers = new Layers(group, verdict.stopped)
  await layers.ask('challenge', async (): Promise<Answer<void>> => {
    const response = await askHost({ role, url, headers, proxy: verdict.proxy, signal: layerSignal(context) })
    const challenge = parseChallenge(response.headers.get('www-authenticate') ?? '')
    if (challenge === undefined) return describeWithout(response, role, url)
    compareChallenge(challenge, { authorityHost: context.profile.authorityHost, audiences, host: url.host })
    const named = challenge.audience === undefined ? 'authority' : 'authority and audience'
    return { message: `${url.host} expects tokens with the ${named} of the profile` }
  })
  return [...verdict.checks, ...layers.checks]
}

/** An answer without a challenge: from the service when it refuses, from something else when it does not. */
function describeWithout({ status }: PipelineResponse, role: NetworkRole, { host, pathname }: URL): Answer<void> {
  const fault = faultOf(status)
  if (fault !== undefined) {
    const hint = fault === 'RESPONSE_INVALID' ? ' without asking for a token' : ''
    throw new NetworkError(role, fault, `${host} answers ${status} for ${pathname}${hint}`)
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
