import { textAt } from '../base/json.ts'
import { knownCloudOf, withoutAlias } from '../clouds/equal-values.ts'
import { usualStorageAudience } from '../clouds/known-clouds.ts'
import { metadataUrl } from '../profile/endpoints.ts'
import type { FieldPath } from '../profile/field-path.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { checkDocument } from '../profile/parse-cloud-profile.ts'
import { documentFields, publishedFields, specificTenant, type WholeCloudMetadata } from './cloud-metadata.ts'

/** The input of the rules: a cloud as its metadata describes it. */
export type DiscoveredCloud = ReturnType<typeof describeCloud>

/** @param endpoint The requested one. @param isKnown Whether the values of a known cloud may fill fields. */
export function describeCloud(metadata: WholeCloudMetadata, endpoint: string, isKnown: boolean) {
  const { resourceManagerEndpoint, loginEndpoint: authorityHost, audiences, dnsSuffixes } = metadata
  const { hostname: host } = new URL(resourceManagerEndpoint)
  const provider = identityProviderOf({ authorityHost }, specificTenant(metadata))
  const isFederation = provider.kind === 'federation-service'
  const hasStackAudience = stackAudience.test(audiences[0] ?? '')
  // A document has every suffix of its cloud if it has suffixes, and a federation service, which only stacks have.
  const namesAll = isFederation && dnsSuffixes !== undefined
  return {
    metadata,
    published: publishedFields(metadata),
    /** The known cloud with the same resource manager and login authority. */
    knownProfile: isKnown ? checkDocument(knownCloudOf({ resourceManagerEndpoint, authorityHost })).profile : undefined,
    provider,
    isStack: isFederation || hasStackAudience || /(^|\.)azurestack\./i.test(host),
    namesAll,
    /** Whether it is Azure Local with disconnected operations. The other stack, Azure Stack Hub, has an audience with a GUID. */
    isDisconnected: namesAll && !hasStackAudience,
    /** The host of the resource manager, without port. */
    host,
    /** The domain of the host as one DNS label, for the name of the profile and for placeholders. */
    label: labelOf(host),
    endpoint,
  }
}

/** A stack generates its audience when it is registered: `https://management.<domain>/<guid>`. */
const stackAudience = /^https:\/\/management\.[^/]+\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/?$/i

function labelOf(hostname: string): string {
  const domain = hostname.replace(/^(admin|arm)?management\./, '').slice(0, 60)
  return domain.match(/[a-z0-9]+/g)?.join('-') ?? 'cloud'
}

/** A way to fill a field. */
export interface ProfileRule {
  readonly how: 'given' | 'metadata' | 'derived' | 'absent' | 'placeholder'
  /** Where the value comes from, in words. */
  readonly from: string
  readonly value: (cloud: DiscoveredCloud, path: FieldPath) => string | undefined
}

const derived = (from: string, value: ProfileRule['value']): ProfileRule => ({ how: 'derived', from, value })

const inMetadata = (from: string): ProfileRule => ({
  how: 'metadata',
  from,
  value: ({ published }, path) => published.get(path),
})

const inKnownCloud: ProfileRule = {
  how: 'given',
  from: 'the file of this known cloud',
  value: ({ knownProfile }, path) => textAt(knownProfile, path),
}

const invalidValue = (prefix: string, name: string) => `${prefix}${name}.invalid${prefix.startsWith('http') ? '/' : ''}`

const placeholder = (prefix: string, service: string): ProfileRule => ({
  how: 'placeholder',
  from: 'not in the metadata; ask the cloud operator',
  value: ({ label }) => invalidValue(prefix, `${service}.${label}.placeholder`),
})

/** A value for a field that the cloud doesn't have. The profile lists such a field in `absent`. */
const absent = (prefix: string, service: string): ProfileRule => ({
  how: 'absent',
  from: 'a stack with suffixes in its document publishes all its values, and this one is missing',
  value: ({ namesAll }) => (namesAll ? invalidValue(prefix, `${service}.absent`) : undefined),
})

/** Source: the documentation of Azure Stack Hub. */
const stackSuffix = (service: string): ProfileRule =>
  derived(
    'an on-premises stack has the hosts management.<region>.<domain> and <name>.<service>.<region>.<domain>',
    ({ isStack, host }) =>
      isStack && host.startsWith('management.') ? `.${service}.${host.slice('management.'.length)}` : undefined,
  )

/** @param label The name of the service in host names. */
const suffix = (label: string, ...onStack: ProfileRule[]): readonly ProfileRule[] => [
  inMetadata('suffixes of the metadata, with a leading "."; for storage ".blob."'),
  inKnownCloud,
  ...onStack,
  absent('.', label),
  placeholder('.', label),
]

const managerAudience: readonly ProfileRule[] = [
  inMetadata('authentication.audiences[0], with the final slash that separates it from ".default"'),
  placeholder('https://', 'management'),
]

/** No rule guesses a service that isn't in the document, because a missing value is better than a guess. */
const services = documentFields
  .filter((path) => path.startsWith('services.'))
  .map((path) => [path, [inMetadata('the metadata'), inKnownCloud]] as const)

/** The rules of each field: the first with a value wins. None derives an audience from a host, because a cloud chooses its audiences freely. */
export const profileRules: Readonly<Partial<Record<FieldPath, readonly ProfileRule[]>>> = {
  name: [inKnownCloud, derived('the domain of the resource manager', ({ label }) => label)],
  displayName: [
    inKnownCloud,
    derived('the host of the resource manager', ({ host }) => `Cloud of ${host.slice(0, 247)}`),
  ],
  environment: [
    inKnownCloud,
    derived(
      'a federation service, or an audience of the form https://management.<domain>/<guid>, means a stack',
      ({ isStack }) => (isStack ? 'platformstackcloud' : undefined),
    ),
    derived('neither a built-in cloud nor an on-premises stack', () => 'custom'),
  ],
  authorityHost: [
    derived(
      'authentication.loginEndpoint is an old alias of this host, and credential libraries do not know the alias',
      ({ metadata: { loginEndpoint } }) => [withoutAlias(loginEndpoint)].find((main) => main !== loginEndpoint),
    ),
    inMetadata('authentication.loginEndpoint, with the path /adfs/ if it is a federation service'),
  ],
  resourceManagerEndpoint: [inMetadata('the endpoint that responded')],
  resourceManagerAudience: managerAudience,
  tenantId: [
    derived('with a federation service the tenant is always adfs', ({ provider }) =>
      provider.kind === 'federation-service' ? provider.tenantId : undefined,
    ),
    inMetadata('authentication.tenant'),
  ],
  portalUrl: [inMetadata('portalEndpoint')],
  metadataEndpoint: [
    { how: 'given', from: 'the requested endpoint', value: ({ endpoint }) => metadataUrl(endpoint).split('?')[0] },
  ],
  'serviceDnsSuffixes.storage': suffix('blob', stackSuffix('blob')),
  'serviceDnsSuffixes.keyVault': suffix('vault', stackSuffix('vault')),
  'serviceDnsSuffixes.sqlServer': suffix('database'),
  'serviceDnsSuffixes.containerRegistry': suffix('registry'),
  'serviceAudiences.arm': managerAudience,
  'serviceAudiences.storage': [
    inKnownCloud,
    // If a stack publishes no suffixes, its storage accepts no tokens.
    derived(
      'the storage audience is the same in every known cloud; confirm it with the operator',
      ({ isStack, metadata: { dnsSuffixes } }) =>
        isStack && dnsSuffixes === undefined ? undefined : usualStorageAudience,
    ),
    placeholder('https://', 'storage'),
  ],
  'serviceAudiences.keyVault': [inKnownCloud, absent('https://', 'vault'), placeholder('https://', 'vault')],
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
