import type { CloudProfile } from '../profile/cloud-profile.ts'
import { isPlaceholder, type FieldPath, overrideVariables } from '../profile/field-path.ts'
import { serviceUrl, serviceAccess, type ServiceId } from '../profile/service-access.ts'
import { settingTable } from '../settings/setting-table.ts'
import { valueAt } from '../base/json.ts'
import { identityEndpoints } from '../auth/modes/managed-identity.ts'
import type {
  ConfiguredEndpoint,
  EndpointContact,
  EgressText,
  Endpoint,
  EndpointSettings,
  ProtectedResource,
} from './endpoint.ts'
import { probeAuthority } from './probes/probe-authority.ts'
import { probeChallenge } from './probes/challenge.ts'
import { probeMetadata } from './probes/probe-metadata.ts'
import { jsonReason, storageReason } from './token-acceptance.ts'
import { failedCheck, type FoundCheck } from './checks.ts'

/** The endpoints that are probed, in the order of the probe matrix and of the connection diagram. Add an endpoint as a row. */
export const endpointTable: readonly Endpoint[] = [
  {
    id: 'authority',
    name: 'Login authority',
    glyph: 'key',
    role: 'AUTHORITY',
    address: 'authorityHost',
    url: ({ authorityHost }) => authorityHost,
    probe: probeAuthority,
    egress: {
      when: 'Each token attempt in every mode except managedIdentity and platformCli; each diagnostics run.',
      address: 'authorityHost of the profile; for the China authority also its network alias',
      port: 'of authorityHost; 443',
      protocol: 'https',
      settings: ['AUTH_MODE'],
    },
  },
  {
    id: 'identity-endpoint',
    name: 'Identity endpoint',
    glyph: 'key',
    role: 'IDENTITY_ENDPOINT',
    isOptional: true,
    // With a placeholder for an audience no token is requested, and no host is contacted.
    url: ({ resourceManagerAudience }, { authMode, injected }) =>
      authMode === 'managedIdentity' && injected !== undefined && !isPlaceholder(resourceManagerAudience)
        ? identityEndpoints(injected)[0]
        : undefined,
    // The token attempt is its request.
    probe: () => Promise.resolve(),
    egress: {
      when: 'Each token attempt and diagnostics run with AUTH_MODE managedIdentity. Azure Stack Hub has no identity endpoint.',
      address: 'IDENTITY_ENDPOINT or MSI_ENDPOINT, which the platform sets; else 169.254.169.254',
      port: 'of the address; 80',
      protocol: 'http, on this machine or link-local',
      settings: ['AUTH_MODE'],
      proxy: false,
    },
  },
  {
    id: 'resource-manager',
    name: 'Resource manager',
    glyph: 'layers',
    role: 'RESOURCE_MANAGER',
    address: 'resourceManagerEndpoint',
    url: ({ resourceManagerEndpoint }) => resourceManagerEndpoint,
    probe: probeChallenge,
    audiences: ['resourceManagerAudience', 'serviceAudiences.arm'],
    // Every cloud has this version, the oldest stack too: https://learn.microsoft.com/azure-stack/user/azure-stack-profiles-azure-resource-manager-versions
    request: { path: 'subscriptions?api-version=2016-06-01', version: '2016-06-01', reason: jsonReason },
    egress: {
      when: 'Each diagnostics run: one request without a token, to read the challenge, and one with the token.',
      protocol: 'https; http only if the profile says so, and then with a token only on loopback',
    },
  },
  {
    id: 'metadata',
    name: 'Metadata',
    glyph: 'document',
    role: 'METADATA',
    address: 'metadataEndpoint',
    url: ({ metadataEndpoint }) => metadataEndpoint,
    probe: probeMetadata,
    egress: {
      when: 'Each diagnostics run, if the profile names one; each token attempt if PLATFORM_DISCOVER_AUDIENCE=true; the commands discover and drift.',
      address: 'metadataEndpoint of the profile; for discover its argument',
      protocol: 'https; http only if the address says so',
      settings: ['PLATFORM_DISCOVER_AUDIENCE'],
    },
  },
  {
    id: 'key-vault',
    name: 'Key vault',
    glyph: 'lock',
    role: 'SERVICE',
    address: 'serviceDnsSuffixes.keyVault',
    addedBy: 'keyVault',
    url: (profile, { keyVault }) => keyVault && serviceUrl(profile, 'keyVault', keyVault),
    probe: probeChallenge,
    audiences: ['serviceAudiences.keyVault'],
    request: {
      path: 'secrets?api-version=7.0&maxresults=1',
      version: '7.0',
      reason: jsonReason,
      leastRole: 'Key Vault Secrets User',
    },
    egress: { when: 'Each diagnostics run, if PLATFORM_KEY_VAULT is set: without a token, then with one.' },
  },
  {
    id: 'storage',
    name: 'Storage account',
    glyph: 'cylinder',
    role: 'SERVICE',
    address: 'serviceDnsSuffixes.storage',
    addedBy: 'storageAccount',
    url: (profile, { storageAccount }) => storageAccount && serviceUrl(profile, 'storage', storageAccount),
    probe: probeChallenge,
    audiences: ['serviceAudiences.storage'],
    request: {
      path: '?comp=list&maxresults=1',
      // The first version with bearer tokens. A stack has none after 2019-07-07, and a challenge comes from 2019-12-12 on.
      headers: { 'x-ms-version': '2017-11-09', accept: 'application/xml' },
      version: '2017-11-09',
      reason: storageReason,
      leastRole: 'Storage Blob Data Reader',
    },
    egress: { when: 'Each diagnostics run, if PLATFORM_STORAGE_ACCOUNT is set: without a token, then with one.' },
  },
]

/** Further hosts that may be contacted, without a probe. */
const otherContacts: readonly (EndpointContact & { readonly egress: EgressText })[] = [
  {
    id: 'token-host',
    name: 'Other token endpoint',
    egress: {
      when: 'Each token attempt, if the OpenID configuration names this host as its token endpoint. A host that is not listed is never contacted.',
      address: 'PLATFORM_ALLOWED_TOKEN_HOSTS',
      port: 'as listed; 443',
      protocol: 'https',
      settings: ['PLATFORM_ALLOWED_TOKEN_HOSTS'],
      proxy: true,
    },
  },
  {
    id: 'services',
    name: 'Further services',
    egress: {
      when: 'Each diagnostics run, for each entry of PLATFORM_SERVICES: a connection, without a request.',
      address: 'the name before the DNS suffix of the service in `services` of the profile',
      port: 'of the service; 443',
      protocol: 'TLS; TCP where the protocol of the service begins without TLS',
      settings: ['PLATFORM_SERVICES'],
      proxy: true,
    },
  },
  {
    id: 'command-line-tool',
    name: "The platform's command-line tool",
    egress: {
      when: 'Each token attempt with AUTH_MODE platformCli. A separate process contacts the cloud that it is registered with.',
      address: 'az of PATH',
      port: 'none',
      protocol: 'a child process',
      settings: ['AUTH_MODE'],
      proxy: false,
    },
  },
  {
    id: 'dns-servers',
    name: 'DNS servers',
    egress: {
      when: 'Each lookup of a name above.',
      address: 'of the operating system',
      port: '53',
      protocol: 'DNS',
      settings: [],
      proxy: false,
    },
  },
  {
    id: 'proxy',
    name: 'Proxy',
    egress: {
      when: 'In place of each host above whose row says proxy, if a proxy variable is set.',
      address: 'HTTPS_PROXY, HTTP_PROXY or ALL_PROXY, except for NO_PROXY',
      port: 'of its address; 80',
      protocol: 'http or https',
      settings: [],
      proxy: false,
    },
  },
]

/** The endpoints that this profile and these settings name. */
export function configuredEndpoints(profile: CloudProfile, settings: EndpointSettings): readonly ConfiguredEndpoint[] {
  return endpointTable.flatMap(({ id, name, role, probe, request, audiences = [], addedBy, ...endpoint }) => {
    const address = endpoint.url(profile, settings)
    if (address === undefined || !URL.canParse(address)) return []
    const url = new URL(address)
    const [audienceField] = audiences
    const configured = {
      id,
      name,
      role,
      probe,
      url,
      ...(endpoint.address === undefined ? {} : { field: endpoint.address }),
      ...(audienceField === undefined ? {} : { audienceField }),
      ...(addedBy === undefined ? {} : { accountVariable: settingTable[addedBy].name }),
    }
    if (request === undefined) return [configured]
    const { path, ...rest } = request
    const named = audiences.map((each) => String(valueAt(profile, each)))
    const protectedResource: ProtectedResource = {
      ...rest,
      url: new URL(path, url),
      audience: named[0] ?? '',
      audiences: [...new Set(named)],
      audienceFields: audiences,
    }
    return [{ ...configured, protectedResource }]
  })
}

interface ConfiguredServices {
  readonly endpoints: readonly ConfiguredEndpoint[]
  /** Entries that the profile has no address for. */
  readonly problems: readonly FoundCheck[]
}

/** The services that an application needs, beside the endpoints of the table. @param entries `service/name`, such as `serviceBus/myns`. */
export function configuredServices(profile: CloudProfile, entries: readonly string[] = []): ConfiguredServices {
  const endpoints: ConfiguredEndpoint[] = []
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

function endpointOf(profile: CloudProfile, id: string, service: string, name: string): ConfiguredEndpoint {
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

/** Every possible contact: who, when, where, and by which setting. */
export function egressRows(): readonly (EgressText & Pick<EndpointContact, 'id' | 'name'>)[] {
  const probed = endpointTable.map(({ id, name, egress, ...endpoint }) => {
    const { address, addedBy } = endpoint
    if (address === undefined) return { id, name, ...(egress as EgressText) }
    const derived = addedBy === undefined ? ofProfile(address) : ofAccount(address, addedBy)
    return { id, name, ...derived, ...egress, settings: [...derived.settings, ...(egress.settings ?? [])] }
  })
  return [...probed, ...otherContacts.map(({ id, name, egress }) => ({ id, name, ...egress }))]
}

const variablesOf = (path: FieldPath): readonly string[] =>
  Object.keys(overrideVariables).filter((name) => overrideVariables[name] === path)

function ofProfile(address: FieldPath): Omit<EgressText, 'when'> {
  return {
    address: `${address} of the profile`,
    port: `of ${address}; 443, for http 80`,
    protocol: 'https',
    settings: ['PLATFORM_CLOUD', 'CUSTOM_CLOUD_PROFILE_PATH', ...variablesOf(address)],
    proxy: true,
  }
}

function ofAccount(suffix: FieldPath, addedBy: NonNullable<Endpoint['addedBy']>): Omit<EgressText, 'when'> {
  const { name } = settingTable[addedBy]
  return {
    address: `${name} before ${suffix} of the profile`,
    port: '443',
    protocol: 'https',
    settings: [name, ...variablesOf(suffix)],
    proxy: true,
  }
}
