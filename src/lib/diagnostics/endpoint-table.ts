import type { CloudProfile } from '../clouds/cloud-profile.ts'
import { type FieldPath, isPlaceholder } from '../profile/field-path.ts'
import { serviceAccess, serviceUrl } from '../profile/service-access.ts'
import { valueAt } from '../base/json.ts'
import type { ChangeableField } from '../findings/finding.ts'
import { identityEndpoints } from '../auth/modes/managed-identity.ts'
import type { Settings } from '../settings/settings.ts'
import type { Check, Endpoint, ProtectedEndpoint, ProtectedResource } from './run.ts'
import { probeAuthority } from './probes/probe-authority.ts'
import { probeMetadata } from './probes/probe-metadata.ts'
import { probeChallenge } from './token-acceptance.ts'
import { failedCheck } from './checks.ts'
import type { Glyph } from './report.ts'

export type EndpointSettings = Partial<Pick<Settings, 'keyVault' | 'storageAccount' | 'authMode' | 'injected'>>

interface EndpointRow extends Pick<Endpoint, 'id' | 'name' | 'role' | 'field' | 'accountVariable' | 'probe'> {
  readonly glyph: Glyph
  /** Whether the diagram hides it unless it is configured. Default is false. */
  readonly isOptional?: true
  /** The address; `undefined` if none is configured. */
  readonly url: (profile: CloudProfile, settings: EndpointSettings) => string | undefined
  /** The fields with the audiences that its challenge may name. Tokens are requested for the first. */
  readonly audiences?: readonly (FieldPath & ChangeableField)[]
  /** Its path is relative to the address, with a query. */
  readonly request?: Pick<ProtectedResource, 'headers' | 'leastRole'> & { readonly path: string }
}

/** The endpoints to probe, in the order of probe matrix and connection diagram. `scripts/release/egress.json` says when each is contacted. */
export const endpointTable: readonly EndpointRow[] = [
  {
    id: 'authority',
    name: 'Login authority',
    glyph: 'key',
    role: 'AUTHORITY',
    field: 'authorityHost',
    url: ({ authorityHost }) => authorityHost,
    probe: probeAuthority,
  },
  {
    id: 'identity-endpoint',
    name: 'Identity endpoint',
    glyph: 'key',
    role: 'IDENTITY_ENDPOINT',
    isOptional: true,
    // If the audience is a placeholder, no token is requested and no host is contacted.
    url: ({ resourceManagerAudience }, { authMode, injected }) =>
      authMode === 'managedIdentity' && injected !== undefined && !isPlaceholder(resourceManagerAudience)
        ? identityEndpoints(injected)[0]
        : undefined,
  },
  {
    id: 'resource-manager',
    name: 'Resource manager',
    glyph: 'layers',
    role: 'RESOURCE_MANAGER',
    field: 'resourceManagerEndpoint',
    url: ({ resourceManagerEndpoint }) => resourceManagerEndpoint,
    audiences: ['resourceManagerAudience', 'serviceAudiences.arm'],
    // Every cloud has this version, even the oldest stack: https://learn.microsoft.com/azure-stack/user/azure-stack-profiles-azure-resource-manager-versions
    request: { path: 'subscriptions?api-version=2016-06-01' },
  },
  {
    id: 'metadata',
    name: 'Metadata',
    glyph: 'document',
    role: 'METADATA',
    field: 'metadataEndpoint',
    url: ({ metadataEndpoint }) => metadataEndpoint,
    probe: probeMetadata,
  },
  {
    id: 'key-vault',
    name: 'Key vault',
    glyph: 'lock',
    role: 'SERVICE',
    field: 'serviceDnsSuffixes.keyVault',
    accountVariable: 'PLATFORM_KEY_VAULT',
    url: (profile, { keyVault }) => keyVault && serviceUrl(profile, 'keyVault', keyVault),
    audiences: ['serviceAudiences.keyVault'],
    request: { path: 'secrets?api-version=7.0&maxresults=1', leastRole: 'Key Vault Secrets User' },
  },
  {
    id: 'storage',
    name: 'Storage account',
    glyph: 'cylinder',
    role: 'SERVICE',
    field: 'serviceDnsSuffixes.storage',
    accountVariable: 'PLATFORM_STORAGE_ACCOUNT',
    url: (profile, { storageAccount }) => storageAccount && serviceUrl(profile, 'storage', storageAccount),
    audiences: ['serviceAudiences.storage'],
    request: {
      path: '?comp=list&maxresults=1',
      // The first version with bearer tokens. Stacks support none after 2019-07-07; challenges begin with 2019-12-12.
      headers: { 'x-ms-version': '2017-11-09', accept: 'application/xml' },
      leastRole: 'Storage Blob Data Reader',
    },
  },
]

/** The endpoints that have an address in this profile and these settings. */
export function configuredEndpoints(profile: CloudProfile, settings: EndpointSettings): readonly Endpoint[] {
  return endpointTable.flatMap(({ url: urlOf, request, audiences: audienceFields = [], ...endpoint }) => {
    const url = URL.parse(urlOf(profile, settings) ?? '')
    if (url === null) return []
    if (request === undefined) return { ...endpoint, url }
    const { path, ...rest } = request
    const audiences = [...new Set(audienceFields.map((each) => String(valueAt(profile, each))))]
    const protectedResource = { ...rest, url: new URL(path, url), audiences, audienceFields }
    return { ...endpoint, url, probe: probeChallenge, protectedResource }
  })
}

export const isProtected = (endpoint: Endpoint): endpoint is ProtectedEndpoint =>
  endpoint.protectedResource !== undefined

/** The ports of SQL Server, PostgreSQL and MySQL, whose connections begin without TLS. */
const beginsPlain: ReadonlySet<number> = new Set([1433, 5432, 3306])

/** The services of PLATFORM_SERVICES, such as `serviceBus/myns`, and failed checks for entries that have no address in this cloud. */
export function configuredServices(profile: CloudProfile, entries: readonly string[] = []) {
  const endpoints: Endpoint[] = []
  const problems: Check[] = []
  for (const entry of new Set(entries)) {
    const [service = '', account = ''] = entry.split('/')
    const id = `${service.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-${account.toLowerCase()}`
    try {
      const access = serviceAccess(profile, service, account)
      const url = new URL(serviceUrl(profile, service, account))
      if (access.port !== 443) url.port = String(access.port)
      const isPlainTcp = beginsPlain.has(access.port)
      const setBy = { accountVariable: 'PLATFORM_SERVICES', field: `services.${service}` } as const
      const name = `${service} ${account}`
      endpoints.push({ id, name, role: 'SERVICE', url, ...setBy, isPlainTcp, audience: audienceOf(access) })
    } catch (error) {
      problems.push(failedCheck({ id: `${id}.address` }, error))
    }
  }
  return { endpoints, problems }
}

/** `undefined` if the cloud publishes no audience, because the token that the service accepts isn't known. */
function audienceOf(access: { readonly audience: string }): string | undefined {
  try {
    return access.audience
  } catch {
    return undefined
  }
}
