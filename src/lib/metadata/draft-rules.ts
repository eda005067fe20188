import type { CloudProfile, DnsService } from '../profile/cloud-profile.ts'
import { type IdentityProvider, identityProviderOf } from '../profile/identity-provider.ts'
import { checkProfile } from '../profile/parse-cloud-profile.ts'
import type { CloudMetadata, WholeCloudMetadata } from './cloud-metadata.ts'
import { specificTenant } from './compare-with-profile.ts'
import { knownCloudOf, withoutAlias } from '../clouds/equal-values.ts'
import { metadataUrl } from '../profile/endpoints.ts'
import type { FieldPath } from '../profile/field-path.ts'
import { valueAt } from '../base/json.ts'
import { discoveredAudience } from './cloud-metadata.ts'
import { usualStorageAudience } from '../clouds/known-clouds.ts'
import { serviceHosts, servicePaths } from './metadata-document.ts'

/** The inputs of the rules of a draft. */
export interface DraftContext {
  readonly metadata: WholeCloudMetadata
  /** The requested endpoint. */
  readonly endpoint: string
  /** The name that the operator chose. */
  readonly name?: string | undefined
  /** The built-in profile of this very cloud: the same resource manager and the same login authority. */
  readonly known?: CloudProfile | undefined
  readonly provider: IdentityProvider
  /** An on-premises stack. */
  readonly isStack: boolean
  /** Host of the resource manager, without port. */
  readonly host: string
  /** The host's domain as one DNS label, for names and placeholders. */
  readonly label: string
}

export function draftContext(metadata: WholeCloudMetadata, endpoint: string, name?: string): DraftContext {
  const { hostname } = new URL(metadata.resourceManagerEndpoint)
  const provider = identityProviderOf({ authorityHost: metadata.loginEndpoint }, specificTenant(metadata))
  const isFederation = provider.kind === 'federation-service'
  return {
    metadata,
    endpoint,
    name: name?.trim() ? name.trim() : undefined,
    known: knownCloud(metadata),
    provider,
    isStack: isFederation || hasStackAudience(metadata) || /(^|\.)azurestack\./i.test(hostname),
    host: hostname,
    label: labelOf(hostname),
  }
}

/** A stack generates its audience at registration: `https://management.<domain>/<guid>`. */
function hasStackAudience({ audiences: [audience] }: CloudMetadata): boolean {
  return /^https:\/\/management\.[^/]+\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/?$/i.test(audience)
}

function knownCloud({ resourceManagerEndpoint, loginEndpoint }: CloudMetadata): CloudProfile | undefined {
  return checkProfile(knownCloudOf({ resourceManagerEndpoint, authorityHost: loginEndpoint })).profile
}

function labelOf(hostname: string): string {
  const label = hostname
    .replace(/^(admin)?management\./, '')
    .slice(0, 60)
    .split(/[^a-z0-9]/)
    .filter((part) => part !== '')
    .join('-')
  return label === '' ? 'cloud' : label
}

/** Origin of a drafted value: given, read from the metadata, derived by a rule, or unknown. */
export type DraftOrigin = 'given' | 'metadata' | 'derived' | 'placeholder'

/** One way to fill a field. `rule` says in a sentence why the value is right. */
export interface DraftRule {
  readonly how: DraftOrigin
  readonly rule: string
  readonly value: (context: DraftContext) => string | undefined
}

const metadata = (rule: string, value: DraftRule['value']): DraftRule => ({ how: 'metadata', rule, value })
const derived = (rule: string, value: DraftRule['value']): DraftRule => ({ how: 'derived', rule, value })

const known = (path: FieldPath): DraftRule =>
  derived('the metadata is that of a cloud whose values are built in', ({ known }) => {
    const value = valueAt(known, path)
    return typeof value === 'string' ? value : undefined
  })

const placeholder = (prefix: string, service: string): DraftRule => ({
  how: 'placeholder',
  rule: 'neither the metadata nor a rule tells it; the cloud operator gives it out',
  value: ({ label }) => `${prefix}${service}.${label}.placeholder.invalid${prefix.startsWith('http') ? '/' : ''}`,
})

/** The documented host names of an on-premises stack: `management.<region>.<domain>` beside `<name>.<service>.<region>.<domain>`. */
const stackSuffix = (service: string): DraftRule =>
  derived(
    'an on-premises stack names its services <service>.<region>.<domain> beside management.<region>.<domain>',
    ({ isStack, host }) =>
      isStack && host.startsWith('management.') ? `.${service}.${host.slice('management.'.length)}` : undefined,
  )

const suffixRule = (service: DnsService): DraftRule =>
  service === 'storage'
    ? metadata('suffixes.storage is core.<cloud>; the blob service stands before it', (context) => {
        const value = suffixIn(context, service)
        return value === undefined || value.startsWith('blob.') ? dotted(value) : `.blob.${value}`
      })
    : metadata('suffixes of the metadata, with a leading "."', (context) => dotted(suffixIn(context, service)))

function suffixIn({ metadata: { dnsSuffixes } }: DraftContext, service: DnsService): string | undefined {
  return dnsSuffixes?.[service]?.replace(/^\./, '')
}

function dotted(value: string | undefined): string | undefined {
  return value === undefined ? undefined : `.${value}`
}

type SuffixPath = `serviceDnsSuffixes.${DnsService}`

const suffixes = Object.fromEntries(
  Object.entries(serviceHosts).map(([service, { label, onStack }]) => {
    const path = `serviceDnsSuffixes.${service}` as SuffixPath
    const stack = onStack === true ? [stackSuffix(label)] : []
    return [path, [suffixRule(service as DnsService), known(path), ...stack, placeholder('.', label)]]
  }),
) as unknown as Readonly<Record<SuffixPath, readonly DraftRule[]>>

const resourceManagerAudience: readonly DraftRule[] = [
  metadata('authentication.audiences[0], with the final slash that separates it from ".default"', ({ metadata }) =>
    discoveredAudience(metadata),
  ),
  placeholder('https://', 'management'),
]

/** A field that no document names is absent: an absent value is better than a guess. */
const services = Object.fromEntries(
  servicePaths.map((path) => [
    path,
    [metadata('of the metadata', (context) => textAt(context.metadata, path)), known(path as FieldPath)],
  ]),
)

function textAt(document: unknown, path: string): string | undefined {
  const value = valueAt(document, path)
  return typeof value === 'string' ? value : undefined
}

/**
 * How each field of a draft is filled: the first rule that gives a value. No rule derives an audience from a host: an audience is an
 * identifier that its cloud chooses.
 */
export const draftRules: Readonly<Record<string, readonly DraftRule[]>> = {
  name: [
    { how: 'given', rule: 'given by --name', value: ({ name }) => name },
    known('name'),
    derived('the domain of the resource manager', ({ label }) => label),
  ],
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
    derived('it is no cloud that is built in and no on-premises stack', () => 'custom'),
  ],
  authorityHost: [
    metadata('authentication.loginEndpoint; the path of a federation service is /adfs/', ({ provider }) =>
      provider.kind === 'federation-service' ? provider.authorityUrl : undefined,
    ),
    derived(
      'authentication.loginEndpoint is an old alias of this host, which credential libraries do not know',
      ({ metadata: { loginEndpoint } }) =>
        withoutAlias(loginEndpoint) === loginEndpoint ? undefined : withoutAlias(loginEndpoint),
    ),
    metadata('authentication.loginEndpoint', ({ metadata }) => metadata.loginEndpoint),
  ],
  resourceManagerEndpoint: [
    metadata('the endpoint that responded', ({ metadata }) => metadata.resourceManagerEndpoint),
  ],
  resourceManagerAudience,
  tenantId: [
    derived('with a federation service the tenant is always adfs', ({ provider }) =>
      provider.kind === 'federation-service' ? provider.tenantId : undefined,
    ),
    metadata('authentication.tenant', ({ metadata }) => specificTenant(metadata)),
  ],
  portalUrl: [metadata('portalEndpoint', ({ metadata }) => metadata.portalEndpoint)],
  metadataEndpoint: [
    {
      how: 'given',
      rule: 'the endpoint that was asked',
      value: ({ endpoint }) => metadataUrl(endpoint).split('?')[0],
    },
  ],
  ...suffixes,
  'serviceAudiences.arm': resourceManagerAudience,
  'serviceAudiences.storage': [
    known('serviceAudiences.storage'),
    // Only the first version of a stack accepts no tokens for its storage. A stack that names its suffixes is like other clouds.
    derived(
      'the storage audience is the same in every known cloud; confirm it with the operator',
      ({ isStack, metadata: { dnsSuffixes } }) =>
        isStack && dnsSuffixes === undefined ? undefined : usualStorageAudience,
    ),
    placeholder('https://', 'storage'),
  ],
  'serviceAudiences.keyVault': [known('serviceAudiences.keyVault'), placeholder('https://', 'vault')],
  ...services,
}
