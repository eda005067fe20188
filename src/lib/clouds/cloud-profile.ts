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

/** A field with separate facts and the schema of its rules, which a cold start builds once for all fields that share it. */
const text = (rule: z.$ZodString, description: string, examples: readonly string[], ...overrides: readonly string[]) =>
  describe(Object.create(rule) as z.$ZodString, { description, examples, overrides })

/** A blank optional string counts as absent. */
const optionalText = (...facts: Parameters<typeof text>) => optional(text(...facts))

/** @param example A member of the list. */
const list = (element: z.$ZodString, description: string, example: string) => {
  const array = new z.$ZodArray({ type: 'array', element, error: () => 'must be a list' })
  return optional(describe(array, { description, examples: [[example]] }))
}

const objectOf = (shape: z.$ZodShape) => new z.$ZodObject({ type: 'object', shape, error: () => 'must be an object' })

const group = (description: string, shape: z.$ZodShape) => describe(objectOf(shape), { description })

const byName = (description: string, valueType: z.$ZodType) => {
  const [keyType, error] = [rules.serviceName, () => 'must be an object']
  const record = new z.$ZodRecord({ type: 'record', keyType, valueType, error })
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

const suffixMeaning = 'The part of a host name after the name of the resource.'
const [graph, guid] = ['https://graph.enclave.example/', '11111111-2222-3333-4444-555555555555']
const [manager, sts] = ['https://management.enclave.example/', 'https://sts.enclave.example/']

const suffix = (of: string, example: string, variable: string) =>
  text(rules.dnsSuffix, `DNS suffix of ${of}.`, [example], `PLATFORM_${variable}_DNS_SUFFIX`)

const audience = (description: string, example: string, ...variables: readonly string[]) =>
  text(rules.audience, description, [example], ...variables.map((each) => `PLATFORM_${each}_AUDIENCE`))

const service = objectOf({
  dnsSuffix: optionalText(rules.dnsSuffix, `${suffixMeaning} Starts with ".".`, ['.servicebus.enclave.example']),
  url: optionalText(rules.toolUrl, 'The one address of a service that has no named resources.', [graph]),
  audience: optionalText(
    rules.toolUrl,
    'Token audience in the spelling that the service expects, with or without a final "/".',
    [graph],
  ),
  applicationId: optionalText(
    rules.applicationId,
    "Id of the service's application, which tokens may name as their audience.",
    [guid],
  ),
  port: optional(describe(rules.port, { description: 'Port of the service. Default is 443.', examples: [1433] })),
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

/** Every field of a profile with its rules, texts and override variables. The type, `cloud-profiles/schema.json` and the documents derive from it. */
export const cloudProfileSchema = group('Every environment-specific value of one cloud.', {
  name: text(rules.label, 'Identifier of the profile. Must not be empty.', ['my-enclave']),
  displayName: text(rules.label, 'Name for people, shown on the page and in logs. Must not be empty.', ['My enclave']),
  environment: describe(
    new z.$ZodEnum({
      type: 'enum',
      entries: Object.fromEntries(cloudEnvironments.map((name) => [name, name])),
      error: () => `must be one of ${cloudEnvironments.join(', ')}`,
    }),
    { description: 'The kind of cloud.', examples: ['custom'] },
  ),
  authorityHost: text(
    rules.authorityUrl,
    'Login endpoint of the identity provider: an https URL that ends with "/". A federation service ends with "/adfs/".',
    ['https://login.enclave.example/', 'https://adfs.enclave.example/adfs/'],
    'PLATFORM_AUTHORITY_HOST',
  ),
  resourceManagerEndpoint: text(
    rules.baseUrl,
    'REST endpoint of the resource manager: an http or https URL that ends with "/".',
    [manager],
    'PLATFORM_RESOURCE_MANAGER_ENDPOINT',
  ),
  resourceManagerAudience: audience(
    'Audience of resource manager tokens: an identifier in the form of an absolute URL that ends with "/". It may differ from the endpoint.',
    manager,
    'RESOURCE_MANAGER',
    'ARM',
  ),
  tenantId: optionalText(
    rules.tenant,
    'Default tenant: a GUID, a domain name, or "adfs" for a federation service.',
    [guid, 'adfs'],
    'PLATFORM_TENANT_ID',
  ),
  portalUrl: optionalText(rules.address, 'Address of the portal, for people.', [
    'https://portal.enclave.example/',
    'https://portal.enclave.example/#home',
  ]),
  metadataEndpoint: optionalText(
    rules.address,
    'Address of the metadata document of the resource manager. Leave it out if the cloud has none.',
    ['https://management.enclave.example/metadata/endpoints'],
  ),
  serviceDnsSuffixes: group(`${suffixMeaning} Each starts with ".".`, {
    storage: suffix('storage accounts (blob)', '.blob.core.enclave.example', 'STORAGE'),
    keyVault: suffix('key vaults', '.vault.enclave.example', 'KEYVAULT'),
    sqlServer: suffix('SQL servers', '.database.enclave.example', 'SQL'),
    containerRegistry: suffix('container registries', '.azurecr.enclave.example', 'ACR'),
  }),
  serviceAudiences: group('Token audiences of the services. Each is an absolute URL that ends with "/".', {
    // The specification has no variable for this one.
    arm: audience('Usually equal to resourceManagerAudience.', manager),
    storage: audience(
      'Audience of storage accounts; the same in every known cloud.',
      'https://storage.azure.com/',
      'STORAGE',
    ),
    keyVault: audience('Audience of key vaults; each cloud has its own.', 'https://vault.enclave.example/', 'KEYVAULT'),
  }),
  notes: optionalText(rules.prose, 'Deployment notes or warnings.', [
    'Endpoints from the enclave handbook, chapter 3.',
  ]),
  services: byName(
    'Further services of the cloud, by name. Do not repeat values of serviceDnsSuffixes and serviceAudiences. If the storage suffix begins with ".blob.", queue, table, file and dfs derive from it.',
    service,
  ),
  aliases: optional(
    group('Other names for the values above.', {
      authorityHosts: list(rules.authorityUrl, 'Other addresses of the login authority.', sts),
      issuers: list(rules.baseUrl, 'Other issuers of the tokens of the login authority, without the tenant.', sts),
      resourceManagerAudiences: list(
        rules.audience,
        'Other audiences that the resource manager accepts.',
        'https://management.core.enclave.example/',
      ),
    }),
  ),
  toolNames: byName(
    'Name of this cloud in other tools, by tool: az, goAutorest, terraform.',
    text(rules.label, 'The name of this cloud in a tool.', ['AzureEnclaveCloud']),
  ),
  federatedAudience: optionalText(rules.identifier, 'Audience that a federated token needs in this cloud.', [
    'api://AzureADTokenExchange',
  ]),
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
