import type { PipelineResponse } from '@azure/core-rest-pipeline'
import { isServiceError, type ErrorCode, type ServiceError } from '../../errors.ts'
import { shouldDisableInstanceDiscovery } from '../../profile/instance-discovery.ts'
import { createEgressPolicy } from '../../transport/egress.ts'
import { checkResponse } from '../../transport/check-response.ts'
import type { FoundCheck } from '../found-check.ts'
import { askHost } from './ask-host.ts'
import { checkClock } from './clock.ts'
import { Layers, type Observation } from './layers.ts'
import { openIdConfigurationUrl } from './openid-configuration-url.ts'
import { layerSignal, type ProbeContext } from './probe-context.ts'
import { createHostProbes, type HostProbes } from './probe-host.ts'

const group = 'authority'
const role = 'AUTHORITY'

/** The login authority: its host, its OpenID configuration, whom that names, and its clock. */
export async function probeAuthority(
  context: ProbeContext,
  hosts: HostProbes = createHostProbes(context),
): Promise<readonly FoundCheck[]> {
  const { profile, tenantId, now = Date.now, documents } = context
  const authorityHost = new URL(profile.authorityHost)
  const host = await hosts.probe({ group, role, url: authorityHost })
  let asked: Promise<{ readonly url: URL | undefined; readonly response: PipelineResponse }> | undefined
  const ask = async () => {
    const url = tenantId === undefined ? undefined : openIdConfigurationUrl(profile.authorityHost, tenantId)
    const signal = layerSignal(context)
    // Without a tenant there is no document, but the answer still tells the time.
    return { url, response: await askHost({ role, url: url ?? authorityHost, proxy: host.proxy, signal, documents }) }
  }

  const layers = new Layers(group, host.stopped)
  const document = await layers.ask<ReadDocument>('document', async () => {
    asked = ask()
    const { url, response } = await asked
    if (url === undefined) return { status: 'skip', message: 'No tenant is configured (PLATFORM_TENANT_ID)' }
    const value = { concern: await inspectDocument(response, url, context) }
    return { message: `${url.host} answers with the OpenID configuration of the tenant`, value }
  })
  const judge = (code: ErrorCode, message: string): Observation<void> => {
    if (document === undefined) return { status: 'skip', message: 'There is no OpenID configuration to read' }
    if (!shouldDisableInstanceDiscovery(profile.authorityHost)) {
      return { status: 'skip', message: 'The credential library knows this authority and reads no document of it' }
    }
    if (document.concern?.code === code) throw document.concern
    return { message }
  }
  await layers.ask('issuer', () => judge('ISSUER_MISMATCH', 'The issuer is on the host of the authority'))
  await layers.ask('token-endpoint', () =>
    judge('TOKEN_ENDPOINT_FOREIGN', 'The token endpoint is on a host that may receive credentials'),
  )

  const answered = await asked?.catch(() => undefined)
  const clock = new Layers(group, answered === undefined ? (host.stopped ?? layers.stopped) : undefined)
  await clock.ask('clock', () =>
    answered === undefined ? { status: 'skip', message: 'There is no answer' } : checkClock(answered.response, now()),
  )
  return [...host.checks, ...layers.checks, ...clock.checks]
}

interface ReadDocument {
  /** What a later check has to say about the document. */
  readonly concern: ServiceError | undefined
}

/**
 * Holds the answer against the transport's own rules, which stop a credential from following a bad document.
 *
 * @returns The two findings that have a check of their own. All others are thrown.
 */
async function inspectDocument(
  response: PipelineResponse,
  url: URL,
  context: ProbeContext,
): Promise<ServiceError | undefined> {
  const { profile, allowedTokenHosts = [] } = context
  const egress = createEgressPolicy({ AUTHORITY: [profile.authorityHost] }, allowedTokenHosts)
  try {
    await checkResponse(response, { role, step: 'openid-configuration', url, egress })
    return undefined
  } catch (error) {
    if (isServiceError(error) && ['ISSUER_MISMATCH', 'TOKEN_ENDPOINT_FOREIGN'].includes(error.code)) return error
    throw error
  }
}
