import * as z from 'zod/mini'
import { CloudProfile } from './cloud-profile.ts'

interface Annotation {
  readonly title: string
  readonly description: string
  readonly examples: readonly string[]
}

/** What an editor shows for each field. Kept apart from the zod schema, so that a cold start does not load it. */
const annotations: Readonly<Record<string, Annotation>> = {
  name: { title: 'Name', description: 'Identifier of the profile. Must not be empty.', examples: ['my-enclave'] },
  displayName: {
    title: 'Display name',
    description: 'Name for people, shown on the page and in logs. Must not be empty.',
    examples: ['My enclave'],
  },
  environment: { title: 'Environment', description: 'The kind of cloud.', examples: ['custom'] },
  authorityHost: {
    title: 'Authority host',
    description:
      'Login endpoint of the identity provider: an https URL that ends with "/". A federation service ends with "/adfs/".',
    examples: ['https://login.enclave.example/', 'https://adfs.enclave.example/adfs/'],
  },
  resourceManagerEndpoint: {
    title: 'Resource manager endpoint',
    description: 'REST endpoint of the resource manager: an http or https URL that ends with "/".',
    examples: ['https://management.enclave.example/'],
  },
  resourceManagerAudience: {
    title: 'Resource manager audience',
    description:
      'Audience of resource manager tokens: an identifier in the form of an absolute URL that ends with "/". It need not be the endpoint.',
    examples: ['https://management.enclave.example/'],
  },
  tenantId: {
    title: 'Tenant',
    description: 'Default tenant: a GUID, a domain name, or "adfs" for a federation service.',
    examples: ['11111111-2222-3333-4444-555555555555', 'adfs'],
  },
  portalUrl: {
    title: 'Portal',
    description: 'Address of the portal, for people.',
    examples: ['https://portal.enclave.example/'],
  },
  metadataEndpoint: {
    title: 'Metadata endpoint',
    description: 'Where the resource manager publishes its metadata document. Leave it out in a cloud that has none.',
    examples: ['https://management.enclave.example/metadata/endpoints'],
  },
  serviceDnsSuffixes: {
    title: 'DNS suffixes',
    description: 'What follows the name of a resource in its host name. Each starts with ".".',
    examples: [],
  },
  'serviceDnsSuffixes.storage': {
    title: 'Storage suffix',
    description: 'DNS suffix of storage accounts (blob).',
    examples: ['.blob.core.enclave.example'],
  },
  'serviceDnsSuffixes.keyVault': {
    title: 'Key vault suffix',
    description: 'DNS suffix of key vaults.',
    examples: ['.vault.enclave.example'],
  },
  'serviceDnsSuffixes.sqlServer': {
    title: 'SQL suffix',
    description: 'DNS suffix of SQL servers.',
    examples: ['.database.enclave.example'],
  },
  'serviceDnsSuffixes.containerRegistry': {
    title: 'Container registry suffix',
    description: 'DNS suffix of container registries.',
    examples: ['.azurecr.enclave.example'],
  },
  serviceAudiences: {
    title: 'Audiences',
    description: 'Token audiences of the services. Each is an absolute URL that ends with "/".',
    examples: [],
  },
  'serviceAudiences.arm': {
    title: 'Resource manager audience',
    description: 'Usually equal to resourceManagerAudience.',
    examples: ['https://management.enclave.example/'],
  },
  'serviceAudiences.storage': {
    title: 'Storage audience',
    description: 'Audience of storage accounts; the same in every known cloud.',
    examples: ['https://storage.azure.com/'],
  },
  'serviceAudiences.keyVault': {
    title: 'Key vault audience',
    description: 'Audience of key vaults; each cloud has its own.',
    examples: ['https://vault.enclave.example/'],
  },
  notes: {
    title: 'Notes',
    description: 'Deployment notes or warnings.',
    examples: ['Endpoints from the enclave handbook, chapter 3.'],
  },
}

/** A node of the generated schema, as far as it is annotated. */
interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly [keyword: string]: unknown
}

/** The JSON schema of a profile file (draft 2020-12), made from the zod schema. Unknown fields are allowed: they are warnings. */
export function createProfileJsonSchema(): SchemaNode {
  const {
    $schema,
    additionalProperties: _strict,
    ...schema
  } = z.toJSONSchema(CloudProfile, { io: 'input' }) as SchemaNode
  const { properties = {}, ...rest } = annotate(schema, '')
  return {
    $schema,
    title: 'Cloud profile',
    description: 'Every environment-specific value of one cloud.',
    ...rest,
    properties: { $schema: { type: 'string', description: 'Address of this schema, for editors.' }, ...properties },
  }
}

function annotate(node: SchemaNode, path: string): SchemaNode {
  const { additionalProperties: _strict, properties, ...rest } = node
  const annotation = annotations[path]
  const described =
    annotation === undefined
      ? rest
      : {
          title: annotation.title,
          description: annotation.description,
          ...rest,
          ...(annotation.examples.length > 0 ? { examples: annotation.examples } : {}),
        }
  if (properties === undefined) return described
  const entries = Object.entries(properties).map(([key, child]) => [
    key,
    annotate(child, path === '' ? key : `${path}.${key}`),
  ])
  return { ...described, properties: Object.fromEntries(entries) as Record<string, SchemaNode> }
}
