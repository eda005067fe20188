import { textAt } from '../base/json.ts'
import { knownCloudOf, withoutAlias } from '../clouds/equal-values.ts'
import { usualStorageAudience } from '../clouds/known-clouds.ts'
import type { CloudProfile } from '../clouds/cloud-profile.ts'
import { metadataUrl } from '../profile/endpoints.ts'
import type { FieldPath } from '../profile/field-path.ts'
import { type IdentityProvider, identityProviderOf } from '../profile/identity-provider.ts'
import { checkDocument } from '../profile/parse-cloud-profile.ts'
import { publishedFields, specificTenant, type WholeCloudMetadata } from './cloud-metadata.ts'
import { documentFields } from './metadata-document.ts'

/** A cloud as its metadata describes it: the input of the rules. */
export interface DiscoveredCloud {
  readonly metadata: WholeCloudMetadata
  readonly published: ReadonlyMap<FieldPath, string>
  /** The built-in profile with the same resource manager and login authority. `undefined` if there is an active profile. */
  readonly known: CloudProfile | undefined
  readonly provider: IdentityProvider
  /** An on-premises stack. */
  readonly isStack: boolean
  /**
   * Azure Local with disconnected operations: a federation service, and a document with every suffix of the cloud. Azure Stack Hub has an
   * audience with a GUID, and documents without suffixes.
   */
  readonly isDisconnected: boolean
  /** Host of the resource manager, without port. */
  readonly host: string
  /** The host's domain as one DNS label, for names and placeholders. */
  readonly label: string
  /** The requested endpoint. */
  readonly endpoint: string
}

/** @param isKnown Whether the profile of a known cloud fills fields. */
export function describeCloud(metadata: WholeCloudMetadata, endpoint: string, isKnown: boolean): DiscoveredCloud {
  const { resourceManagerEndpoint, loginEndpoint, audiences, dnsSuffixes } = metadata
  const { hostname } = new URL(resourceManagerEndpoint)
  const provider = identityProviderOf({ authorityHost: loginEndpoint }, specificTenant(metadata))
  return {
    metadata,
    published: publishedFields(metadata),
    known: isKnown
      ? checkDocument(knownCloudOf({ resourceManagerEndpoint, authorityHost: loginEndpoint })).profile
      : undefined,
    provider,
    isStack:
      provider.kind === 'federation-service' ||
      stackAudience.test(audiences[0]) ||
      /(^|\.)azurestack\./i.test(hostname),
    isDisconnected:
      provider.kind === 'federation-service' && dnsSuffixes !== undefined && !stackAudience.test(audiences[0]),
    host: hostname,
    label: labelOf(hostname),
    endpoint,
  }
}

/** A stack generates its audience at registration: `https://management.<domain>/<guid>`. */
const stackAudience = /^https:\/\/management\.[^/]+\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/?$/i

function labelOf(hostname: string): string {
  const parts = hostname
    .replace(/^(admin|arm)?management\./, '')
    .slice(0, 60)
    .split(/[^a-z0-9]/)
  return parts.filter((part) => part !== '').join('-') || 'cloud'
}

/** A way to fill a field. `rule` is a sentence that says why the value is right. */
export interface ProfileRule {
  readonly how: 'given' | 'metadata' | 'derived' | 'absent' | 'placeholder'
  readonly rule: string
  readonly value: (cloud: DiscoveredCloud) => string | undefined
}

const derived = (rule: string, value: ProfileRule['value']): ProfileRule => ({ how: 'derived', rule, value })

const fromMetadata = (
  path: FieldPath,
  rule: string,
  value: ProfileRule['value'] = ({ published }) => published.get(path),
): ProfileRule => ({ how: 'metadata', rule, value })

const known = (path: FieldPath): ProfileRule =>
  derived('a built-in profile describes this cloud', ({ known }) => textAt(known, path))

const placeholder = (prefix: string, service: string): ProfileRule => ({
  how: 'placeholder',
  rule: 'not in the metadata; ask the cloud operator',
  value: ({ label }) => `${prefix}${service}.${label}.placeholder.invalid${prefix.startsWith('http') ? '/' : ''}`,
})

/** For a field that the cloud doesn't have. The profile lists it in `absent`. */
const absent = (prefix: string, service: string): ProfileRule => ({
  how: 'absent',
  rule: 'Azure Local publishes every value that it has, and this one is missing',
  value: ({ isDisconnected }) =>
    isDisconnected ? `${prefix}${service}.absent.invalid${prefix.startsWith('http') ? '/' : ''}` : undefined,
})

/** A stack's hosts are `management.<region>.<domain>` and `<name>.<service>.<region>.<domain>`, by its documentation. */
const stackSuffix = (service: string): ProfileRule =>
  derived(
    'an on-premises stack has the hosts management.<region>.<domain> and <name>.<service>.<region>.<domain>',
    ({ isStack, host }) =>
      isStack && host.startsWith('management.') ? `.${service}.${host.slice('management.'.length)}` : undefined,
  )

/** @param label The name of the service in host names. */
const suffix = (path: FieldPath, label: string, ...onStack: ProfileRule[]): readonly ProfileRule[] => [
  fromMetadata(path, 'suffixes of the metadata, with a leading "."; for storage ".blob."'),
  known(path),
  ...onStack,
  absent('.', label),
  placeholder('.', label),
]

const resourceManagerAudience: readonly ProfileRule[] = [
  fromMetadata(
    'resourceManagerAudience',
    'authentication.audiences[0], with the final slash that separates it from ".default"',
  ),
]

/** A service that isn't in the document has no value: that is better than a guess. */
const services = documentFields
  .filter((path) => path.startsWith('services.'))
  .map((path) => [path, [fromMetadata(path, 'the metadata'), known(path)]] as const)

/**
 * The rules for each field of a profile. The first rule that gives a value wins. No rule derives an audience from a host, because a cloud
 * chooses its audiences freely.
 */
export const profileRules: Readonly<Partial<Record<FieldPath, readonly ProfileRule[]>>> = {
  name: [known('name'), derived('the domain of the resource manager', ({ label }) => label)],
  displayName: [
    known('displayName'),
    derived('the host of the resource manager', ({ host }) => `Cloud of ${host}`),
    derived('the host of the resource manager is too long to show', () => 'Discovered cloud'),
  ],
  environment: [
    known('environment'),
    derived(
      'a federation service, or an audience of the form https://management.<domain>/<guid>, means a stack',
      ({ isStack }) => (isStack ? 'platformstackcloud' : undefined),
    ),
    derived('neither a built-in cloud nor an on-premises stack', () => 'custom'),
  ],
  authorityHost: [
    derived(
      'authentication.loginEndpoint is an old alias of this host, which credential libraries do not know',
      ({ metadata: { loginEndpoint } }) =>
        withoutAlias(loginEndpoint) === loginEndpoint ? undefined : withoutAlias(loginEndpoint),
    ),
    fromMetadata('authorityHost', 'authentication.loginEndpoint, with the path /adfs/ if it is a federation service'),
  ],
  resourceManagerEndpoint: [fromMetadata('resourceManagerEndpoint', 'the endpoint that responded')],
  resourceManagerAudience: [...resourceManagerAudience, placeholder('https://', 'management')],
  tenantId: [
    derived('with a federation service the tenant is always adfs', ({ provider }) =>
      provider.kind === 'federation-service' ? provider.tenantId : undefined,
    ),
    fromMetadata('tenantId', 'authentication.tenant'),
  ],
  portalUrl: [fromMetadata('portalUrl', 'portalEndpoint')],
  metadataEndpoint: [
    {
      how: 'given',
      rule: 'the requested endpoint',
      value: ({ endpoint }) => metadataUrl(endpoint).split('?')[0],
    },
  ],
  'serviceDnsSuffixes.storage': suffix('serviceDnsSuffixes.storage', 'blob', stackSuffix('blob')),
  'serviceDnsSuffixes.keyVault': suffix('serviceDnsSuffixes.keyVault', 'vault', stackSuffix('vault')),
  'serviceDnsSuffixes.sqlServer': suffix('serviceDnsSuffixes.sqlServer', 'database'),
  'serviceDnsSuffixes.containerRegistry': suffix('serviceDnsSuffixes.containerRegistry', 'registry'),
  'serviceAudiences.arm': [...resourceManagerAudience, placeholder('https://', 'management')],
  'serviceAudiences.storage': [
    known('serviceAudiences.storage'),
    // A stack that publishes no suffixes has storage that accepts no tokens.
    derived(
      'the storage audience is the same in every known cloud; confirm it with the operator',
      ({ isStack, metadata: { dnsSuffixes } }) =>
        isStack && dnsSuffixes === undefined ? undefined : usualStorageAudience,
    ),
    placeholder('https://', 'storage'),
  ],
  'serviceAudiences.keyVault': [
    known('serviceAudiences.keyVault'),
    absent('https://', 'vault'),
    placeholder('https://', 'vault'),
  ],
  ...Object.fromEntries(services),
  // Source: pull requests 33290 and 33294 of Azure/azure-cli.
  'services.containerRegistry.audience': [
    derived(
      'registries of Azure Local accept tokens for its resource manager, and none for the audience of other clouds',
      ({ isDisconnected, metadata: { audiences, dnsSuffixes } }) =>
        isDisconnected && dnsSuffixes?.containerRegistry !== undefined ? audiences[0] : undefined,
    ),
  ],
}
