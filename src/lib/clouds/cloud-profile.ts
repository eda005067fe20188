import * as z from 'zod/v4/core'
import * as rules from './field-rules.ts'
import { type FieldFacts, fieldFacts } from './field-rules.ts'
import type { CloudProfile } from './profile-types.ts'

export type { CloudEnvironment, CloudProfile, CloudService } from './profile-types.ts'

// zod's core classes, because a cold start builds this table: zod/mini adds methods to each schema that nothing here calls.

const describe = <S extends z.$ZodType>(schema: S, facts: FieldFacts): S => {
  fieldFacts.add(schema, facts)
  return schema
}

const optional = (innerType: z.$ZodType) => new z.$ZodOptional({ type: 'optional', innerType })

const textOf = (check: rules.Check) =>
  new z.$ZodString({ type: 'string', error: () => 'must be a string', checks: [check] })

const text = (check: rules.Check, facts: FieldFacts) => describe(textOf(check), facts)

/** A blank optional string counts as absent. */
const optionalText = (check: rules.Check, facts: FieldFacts) => optional(text(check, facts))

/** @param example A member of the list. */
const list = (check: rules.Check, description: string, example: string) => {
  const array = new z.$ZodArray({ type: 'array', element: textOf(check), error: () => 'must be a list' })
  return optional(describe(array, { description, examples: [[example]] }))
}

const objectOf = (shape: z.$ZodShape) => new z.$ZodObject({ type: 'object', shape, error: () => 'must be an object' })

const group = (description: string, shape: z.$ZodShape) => describe(objectOf(shape), { description })

const byName = (description: string, valueType: z.$ZodType) => {
  const keyType = textOf(rules.serviceName)
  const record = new z.$ZodRecord({ type: 'record', keyType, valueType, error: () => 'must be an object' })
  return optional(describe(record, { description }))
}

/** The kinds of cloud that a profile can describe. */
export const cloudEnvironments = [
  'public',
  'usgovernment',
  'usgovernmentsecret',
  'usgovernmenttopsecret',
  'platformstackcloud',
  'custom',
] as const

const service = objectOf({
  dnsSuffix: optionalText(rules.dnsSuffix, {
    description: 'The part of a host name after the name of the resource. Starts with ".".',
    examples: ['.servicebus.enclave.example'],
  }),
  url: optionalText(rules.toolUrl, {
    description: 'The one address of a service that has no named resources.',
    examples: ['https://graph.enclave.example/'],
  }),
  audience: optionalText(rules.toolUrl, {
    description: 'Token audience in the spelling that the service expects, with or without a final "/".',
    examples: ['https://graph.enclave.example/'],
  }),
  applicationId: optionalText(rules.applicationId, {
    description: "Id of the service's application, which tokens may name as their audience.",
    examples: ['11111111-2222-3333-4444-555555555555'],
  }),
  port: optional(
    describe(
      new z.$ZodNumber({
        type: 'number',
        error: () => 'must be a whole number from 1 to 65535',
        checks: [rules.port],
      }),
      { description: 'Port of the service. Default is 443.', examples: [1433] },
    ),
  ),
  otherHosts: list(
    rules.hostName,
    'Further hosts of the service. These hosts, and all hosts below them, belong to this cloud.',
    'events.enclave.example',
  ),
  retired: optional(
    describe(new z.$ZodBoolean({ type: 'boolean', error: () => 'must be true or false' }), {
      description: 'Whether the service is retired. Its values are then recognized, but not used.',
    }),
  ),
})

/**
 * Every field of a profile with its rules, texts and override variables. It validates every profile. The type, the order of the fields,
 * `cloud-profiles/schema.json` and the documents are derived from it.
 */
export const cloudProfileSchema = group('Every environment-specific value of one cloud.', {
  name: text(rules.label, {
    description: 'Identifier of the profile. Must not be empty.',
    examples: ['my-enclave'],
  }),
  displayName: text(rules.label, {
    description: 'Name for people, shown on the page and in logs. Must not be empty.',
    examples: ['My enclave'],
  }),
  environment: describe(
    new z.$ZodEnum({
      type: 'enum',
      entries: Object.fromEntries(cloudEnvironments.map((name) => [name, name])),
      error: () => `must be one of ${cloudEnvironments.join(', ')}`,
    }),
    { description: 'The kind of cloud.', examples: ['custom'] },
  ),
  authorityHost: text(rules.authorityUrl, {
    description:
      'Login endpoint of the identity provider: an https URL that ends with "/". A federation service ends with "/adfs/".',
    examples: ['https://login.enclave.example/', 'https://adfs.enclave.example/adfs/'],
    overrides: ['PLATFORM_AUTHORITY_HOST'],
  }),
  resourceManagerEndpoint: text(rules.baseUrl, {
    description: 'REST endpoint of the resource manager: an http or https URL that ends with "/".',
    examples: ['https://management.enclave.example/'],
    overrides: ['PLATFORM_RESOURCE_MANAGER_ENDPOINT'],
  }),
  resourceManagerAudience: text(rules.audience, {
    description:
      'Audience of resource manager tokens: an identifier in the form of an absolute URL that ends with "/". It may differ from the endpoint.',
    examples: ['https://management.enclave.example/'],
    overrides: ['PLATFORM_RESOURCE_MANAGER_AUDIENCE', 'PLATFORM_ARM_AUDIENCE'],
  }),
  tenantId: optionalText(rules.tenant, {
    description: 'Default tenant: a GUID, a domain name, or "adfs" for a federation service.',
    examples: ['11111111-2222-3333-4444-555555555555', 'adfs'],
    overrides: ['PLATFORM_TENANT_ID'],
  }),
  portalUrl: optionalText(rules.address, {
    description: 'Address of the portal, for people.',
    examples: ['https://portal.enclave.example/', 'https://portal.enclave.example/#home'],
  }),
  metadataEndpoint: optionalText(rules.address, {
    description: 'Address of the metadata document of the resource manager. Leave it out if the cloud has none.',
    examples: ['https://management.enclave.example/metadata/endpoints'],
  }),
  serviceDnsSuffixes: group('The part of a host name after the name of the resource. Each starts with ".".', {
    storage: text(rules.dnsSuffix, {
      description: 'DNS suffix of storage accounts (blob).',
      examples: ['.blob.core.enclave.example'],
      overrides: ['PLATFORM_STORAGE_DNS_SUFFIX'],
    }),
    keyVault: text(rules.dnsSuffix, {
      description: 'DNS suffix of key vaults.',
      examples: ['.vault.enclave.example'],
      overrides: ['PLATFORM_KEYVAULT_DNS_SUFFIX'],
    }),
    sqlServer: text(rules.dnsSuffix, {
      description: 'DNS suffix of SQL servers.',
      examples: ['.database.enclave.example'],
      overrides: ['PLATFORM_SQL_DNS_SUFFIX'],
    }),
    containerRegistry: text(rules.dnsSuffix, {
      description: 'DNS suffix of container registries.',
      examples: ['.azurecr.enclave.example'],
      overrides: ['PLATFORM_ACR_DNS_SUFFIX'],
    }),
  }),
  serviceAudiences: group('Token audiences of the services. Each is an absolute URL that ends with "/".', {
    // The specification has no variable for this one.
    arm: text(rules.audience, {
      description: 'Usually equal to resourceManagerAudience.',
      examples: ['https://management.enclave.example/'],
    }),
    storage: text(rules.audience, {
      description: 'Audience of storage accounts; the same in every known cloud.',
      examples: ['https://storage.azure.com/'],
      overrides: ['PLATFORM_STORAGE_AUDIENCE'],
    }),
    keyVault: text(rules.audience, {
      description: 'Audience of key vaults; each cloud has its own.',
      examples: ['https://vault.enclave.example/'],
      overrides: ['PLATFORM_KEYVAULT_AUDIENCE'],
    }),
  }),
  notes: optionalText(rules.prose, {
    description: 'Deployment notes or warnings.',
    examples: ['Endpoints from the enclave handbook, chapter 3.'],
  }),
  services: byName(
    'Further services of the cloud, by name. Do not repeat values of serviceDnsSuffixes and serviceAudiences. If the storage suffix begins with ".blob.", queue, table, file and dfs derive from it.',
    service,
  ),
  aliases: optional(
    group('Other names for the values above.', {
      authorityHosts: list(
        rules.authorityUrl,
        'Other addresses of the login authority.',
        'https://sts.enclave.example/',
      ),
      issuers: list(
        rules.baseUrl,
        'Other issuers of the tokens of the login authority, without the tenant.',
        'https://sts.enclave.example/',
      ),
      resourceManagerAudiences: list(
        rules.audience,
        'Other audiences that the resource manager accepts.',
        'https://management.core.enclave.example/',
      ),
    }),
  ),
  toolNames: byName(
    'Name of this cloud in other tools, by tool: az, goAutorest, terraform.',
    text(rules.label, { description: 'The name of this cloud in a tool.', examples: ['AzureEnclaveCloud'] }),
  ),
  federatedAudience: optionalText(rules.identifier, {
    description: 'Audience that a federated token needs in this cloud.',
    examples: ['api://AzureADTokenExchange'],
  }),
  guessedHosts: optional(
    group('Hosts that people take for hosts of this cloud, although no cloud has them.', {
      login: list(rules.hostName, 'Hosts taken for the login authority.', 'login.guessed.example'),
      resourceManager: list(rules.hostName, 'Hosts taken for the resource manager.', 'management.guessed.example'),
    }),
  ),
  absent: list(
    rules.absentName,
    'Values that this cloud does not have: dotted paths of DNS suffixes and audiences, or names of services. These fields keep a value that ends with ".invalid".',
    'serviceDnsSuffixes.sqlServer',
  ),
})

/** A service with a DNS suffix in the profile. */
export type DnsService = keyof CloudProfile['serviceDnsSuffixes']

/** The content of a file in `cloud-profiles`: a profile, or the published part of one. */
export interface CloudFile extends Partial<
  Omit<CloudProfile, 'environment' | 'serviceDnsSuffixes' | 'serviceAudiences'>
> {
  readonly name: string
  readonly displayName: string
  readonly environment?: string
  readonly serviceDnsSuffixes?: Partial<CloudProfile['serviceDnsSuffixes']>
  readonly serviceAudiences?: Partial<CloudProfile['serviceAudiences']>
}
