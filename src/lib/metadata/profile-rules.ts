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

/** The input of the rules: a cloud as its metadata describes it. */
export interface DiscoveredCloud {
  readonly metadata: WholeCloudMetadata
  readonly published: ReadonlyMap<FieldPath, string>
  /** The known cloud with the same resource manager and login authority. `undefined` if there is an active profile. */
  readonly knownProfile: CloudProfile | undefined
  readonly provider: IdentityProvider
  readonly isStack: boolean
  /** Whether its document has every suffix of the cloud: it has suffixes, and a federation service, which only stacks have. */
  readonly namesAll: boolean
  /** Whether it is Azure Local with disconnected operations. The other stack, Azure Stack Hub, has an audience with a GUID. */
  readonly isDisconnected: boolean
  /** The host of the resource manager, without port. */
  readonly host: string
  /** The domain of the host as one DNS label, for the name of the profile and for placeholders. */
  readonly label: string
  /** The requested endpoint. */
  readonly endpoint: string
}

/** @param isKnown Whether the values of a known cloud may fill fields. */
export function describeCloud(metadata: WholeCloudMetadata, endpoint: string, isKnown: boolean): DiscoveredCloud {
  const {
    resourceManagerEndpoint,
    loginEndpoint,
    audiences: [audience = ''],
    dnsSuffixes,
  } = metadata
  const { hostname } = new URL(resourceManagerEndpoint)
  const provider = identityProviderOf({ authorityHost: loginEndpoint }, specificTenant(metadata))
  const isFederation = provider.kind === 'federation-service'
  const namesAll = isFederation && dnsSuffixes !== undefined
  return {
    metadata,
    published: publishedFields(metadata),
    knownProfile: isKnown
      ? checkDocument(knownCloudOf({ resourceManagerEndpoint, authorityHost: loginEndpoint })).profile
      : undefined,
    provider,
    isStack: isFederation || stackAudience.test(audience) || /(^|\.)azurestack\./i.test(hostname),
    namesAll,
    isDisconnected: namesAll && !stackAudience.test(audience),
    host: hostname,
    label: labelOf(hostname),
    endpoint,
  }
}

/** A stack generates its audience when it is registered: `https://management.<domain>/<guid>`. */
const stackAudience = /^https:\/\/management\.[^/]+\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/?$/i

function labelOf(hostname: string): string {
  const parts = hostname
    .replace(/^(admin|arm)?management\./, '')
    .slice(0, 60)
    .split(/[^a-z0-9]/)
  return parts.filter((part) => part !== '').join('-') || 'cloud'
}

/** A way to fill a field. `rule` explains in words where the value comes from. */
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

const fromKnownCloud = (path: FieldPath): ProfileRule => ({
  how: 'given',
  rule: 'the file of this known cloud',
  value: ({ knownProfile }) => textAt(knownProfile, path),
})

const placeholder = (prefix: string, service: string): ProfileRule => ({
  how: 'placeholder',
  rule: 'not in the metadata; ask the cloud operator',
  value: ({ label }) => `${prefix}${service}.${label}.placeholder.invalid${prefix.startsWith('http') ? '/' : ''}`,
})

/** A value for a field that the cloud doesn't have. The profile lists such a field in `absent`. */
const absent = (prefix: string, service: string): ProfileRule => ({
  how: 'absent',
  rule: 'a stack with suffixes in its document publishes all its values, and this one is missing',
  value: ({ namesAll }) =>
    namesAll ? `${prefix}${service}.absent.invalid${prefix.startsWith('http') ? '/' : ''}` : undefined,
})

/** Source: the documentation of Azure Stack Hub. */
const stackSuffix = (service: string): ProfileRule =>
  derived(
    'an on-premises stack has the hosts management.<region>.<domain> and <name>.<service>.<region>.<domain>',
    ({ isStack, host }) =>
      isStack && host.startsWith('management.') ? `.${service}.${host.slice('management.'.length)}` : undefined,
  )

/** @param label The name of the service in host names. */
const suffix = (path: FieldPath, label: string, ...onStack: ProfileRule[]): readonly ProfileRule[] => [
  fromMetadata(path, 'suffixes of the metadata, with a leading "."; for storage ".blob."'),
  fromKnownCloud(path),
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

/** No rule guesses a service that isn't in the document, because a missing value is better than a guess. */
const services = documentFields
  .filter((path) => path.startsWith('services.'))
  .map((path) => [path, [fromMetadata(path, 'the metadata'), fromKnownCloud(path)]] as const)

/**
 * The rules for each field of a profile. The first rule with a value wins. No rule derives an audience from a host, because a cloud chooses
 * its audiences freely.
 */
export const profileRules: Readonly<Partial<Record<FieldPath, readonly ProfileRule[]>>> = {
  name: [fromKnownCloud('name'), derived('the domain of the resource manager', ({ label }) => label)],
  displayName: [
    fromKnownCloud('displayName'),
    derived('the host of the resource manager', ({ host }) => `Cloud of ${host}`),
    derived('the host of the resource manager is too long to show', () => 'Discovered cloud'),
  ],
  environment: [
    fromKnownCloud('environment'),
    derived(
      'a federation service, or an audience of the form https://management.<domain>/<guid>, means a stack',
      ({ isStack }) => (isStack ? 'platformstackcloud' : undefined),
    ),
    derived('neither a built-in cloud nor an on-premises stack', () => 'custom'),
  ],
  authorityHost: [
    derived(
      'authentication.loginEndpoint is an old alias of this host, and credential libraries do not know the alias',
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
    fromKnownCloud('serviceAudiences.storage'),
    // If a stack publishes no suffixes, its storage accepts no tokens.
    derived(
      'the storage audience is the same in every known cloud; confirm it with the operator',
      ({ isStack, metadata: { dnsSuffixes } }) =>
        isStack && dnsSuffixes === undefined ? undefined : usualStorageAudience,
    ),
    placeholder('https://', 'storage'),
  ],
  'serviceAudiences.keyVault': [
    fromKnownCloud('serviceAudiences.keyVault'),
    absent('https://', 'vault'),
    placeholder('https://', 'vault'),
  ],
  ...Object.fromEntries(services),
  // Source: pull requests 33290 and 33294 of Azure/azure-cli.
  'services.containerRegistry.audience': [
    derived(
      'registries of Azure Local accept only tokens for its resource manager',
      ({ isDisconnected, metadata: { audiences, dnsSuffixes } }) =>
        isDisconnected && dnsSuffixes?.containerRegistry !== undefined ? audiences[0] : undefined,
    ),
  ],
}
