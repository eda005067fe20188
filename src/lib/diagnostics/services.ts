import type { AccessToken } from '../auth/token-credential.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { serviceAccess, type ServiceId } from '../profile/service-access.ts'
import { failedCheck, type FoundCheck, runCheck } from './checks.ts'
import type { ConfiguredEndpoint } from './endpoint.ts'

/** A service of PLATFORM_SERVICES. */
export interface ServiceEndpoint extends ConfiguredEndpoint {
  /** The audience of its tokens, if the cloud publishes one. */
  readonly audience?: string
}

interface ConfiguredServices {
  readonly endpoints: readonly ServiceEndpoint[]
  /** Entries that the profile has no address for. */
  readonly problems: readonly FoundCheck[]
}

/** The services that an application needs, beside the endpoints of the table. @param entries `service/name`, such as `serviceBus/myns`. */
export function configuredServices(profile: CloudProfile, entries: readonly string[] = []): ConfiguredServices {
  const endpoints: ServiceEndpoint[] = []
  const problems: FoundCheck[] = []
  for (const entry of new Set(entries)) {
    const [service = '', name = ''] = entry.split('/')
    const id = `${service.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-${name.toLowerCase()}`
    try {
      endpoints.push(endpointOf(profile, id, service, name))
    } catch (error) {
      problems.push(failedCheck({ id: `${id}.address` }, error))
    }
  }
  return { endpoints, problems }
}

/** Ports whose protocols (TDS, PostgreSQL, MySQL) begin without TLS. */
const beginsPlain: ReadonlySet<number> = new Set([1433, 5432, 3306])

function endpointOf(profile: CloudProfile, id: string, service: string, name: string): ServiceEndpoint {
  const access = serviceAccess(profile, service as ServiceId, name)
  const url = new URL(access.url)
  if (access.port !== 443) url.port = String(access.port)
  const audience = audienceOf(access)
  return {
    id,
    name: `${service} ${name}`,
    role: 'SERVICE',
    url,
    accountVariable: 'PLATFORM_SERVICES',
    field: `services.${service}`,
    probe: () => Promise.resolve(),
    ...(beginsPlain.has(access.port) ? { isPlainTcp: true as const } : {}),
    ...(audience === undefined ? {} : { audience }),
  }
}

/** A service without a published audience takes no token that is known. */
function audienceOf(access: { readonly audience: string }): string | undefined {
  try {
    return access.audience
  } catch {
    return undefined
  }
}

/** Whether the credential gets a token for the service. It is not sent: which request a service allows is not known here. */
export async function checkServiceToken(
  { id, audience, url }: ServiceEndpoint,
  tokenFor: (audience: string) => Promise<AccessToken>,
): Promise<FoundCheck> {
  return runCheck({ id: `${id}.token`, endpoint: id, layer: 'token' }, async () => {
    if (audience === undefined) return { status: 'skip', message: `No audience is known for ${url.host}` }
    await tokenFor(audience.endsWith('/') ? audience : `${audience}/`)
    return { message: `A token for ${audience} was acquired`, evidence: { host: url.host } }
  })
}
