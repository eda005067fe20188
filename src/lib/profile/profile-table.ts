import { cloudEnvironments, type CloudProfile } from '../clouds/cloud-profile.ts'
import {
  address,
  audience,
  authorityUrl,
  baseUrl,
  dnsSuffix,
  hostName,
  identifier,
  label,
  list,
  optionalText,
  prose,
  serviceName,
  tenant,
  text,
  toolUrl,
  type FieldsOf,
  type GroupField,
} from './field.ts'

/**
 * The table of a profile: every field with its rules, its text and its variables. The order of the fields, `cloud-profiles/schema.json`, the
 * override variables, the validation, and the code that explains and fills profiles derive from this table. The compiler holds it to
 * {@link CloudProfile}.
 */
export const profileTable = {
  kind: 'group',
  description: 'Every environment-specific value of one cloud.',
  fields: {
    name: text(label, {
      description: 'Identifier of the profile. Must not be empty.',
      examples: ['my-enclave'],
    }),
    displayName: text(label, {
      description: 'Name for people, shown on the page and in logs. Must not be empty.',
      examples: ['My enclave'],
    }),
    environment: { kind: 'choice', words: cloudEnvironments, description: 'The kind of cloud.', examples: ['custom'] },
    authorityHost: text(authorityUrl, {
      description:
        'Login endpoint of the identity provider: an https URL that ends with "/". A federation service ends with "/adfs/".',
      examples: ['https://login.enclave.example/', 'https://adfs.enclave.example/adfs/'],
      overrides: ['PLATFORM_AUTHORITY_HOST'],
    }),
    resourceManagerEndpoint: text(baseUrl, {
      description: 'REST endpoint of the resource manager: an http or https URL that ends with "/".',
      examples: ['https://management.enclave.example/'],
      overrides: ['PLATFORM_RESOURCE_MANAGER_ENDPOINT'],
    }),
    resourceManagerAudience: text(audience, {
      description:
        'Audience of resource manager tokens: an identifier in the form of an absolute URL that ends with "/". It need not be the endpoint.',
      examples: ['https://management.enclave.example/'],
      overrides: ['PLATFORM_RESOURCE_MANAGER_AUDIENCE', 'PLATFORM_ARM_AUDIENCE'],
    }),
    tenantId: optionalText(tenant, {
      description: 'Default tenant: a GUID, a domain name, or "adfs" for a federation service.',
      examples: ['11111111-2222-3333-4444-555555555555', 'adfs'],
      overrides: ['PLATFORM_TENANT_ID'],
    }),
    portalUrl: optionalText(address, {
      description: 'Address of the portal, for people.',
      examples: ['https://portal.enclave.example/', 'https://portal.enclave.example/#home'],
    }),
    metadataEndpoint: optionalText(address, {
      description: 'Where the resource manager publishes its metadata document. Leave it out in a cloud that has none.',
      examples: ['https://management.enclave.example/metadata/endpoints'],
    }),
    serviceDnsSuffixes: {
      kind: 'group',
      description: 'What follows the name of a resource in its host name. Each starts with ".".',
      fields: {
        storage: text(dnsSuffix, {
          description: 'DNS suffix of storage accounts (blob).',
          examples: ['.blob.core.enclave.example'],
          overrides: ['PLATFORM_STORAGE_DNS_SUFFIX'],
        }),
        keyVault: text(dnsSuffix, {
          description: 'DNS suffix of key vaults.',
          examples: ['.vault.enclave.example'],
          overrides: ['PLATFORM_KEYVAULT_DNS_SUFFIX'],
        }),
        sqlServer: text(dnsSuffix, {
          description: 'DNS suffix of SQL servers.',
          examples: ['.database.enclave.example'],
          overrides: ['PLATFORM_SQL_DNS_SUFFIX'],
        }),
        containerRegistry: text(dnsSuffix, {
          description: 'DNS suffix of container registries.',
          examples: ['.azurecr.enclave.example'],
          overrides: ['PLATFORM_ACR_DNS_SUFFIX'],
        }),
      },
    },
    serviceAudiences: {
      kind: 'group',
      description: 'Token audiences of the services. Each is an absolute URL that ends with "/".',
      fields: {
        // No variable overrides this one, as the specification has it.
        arm: text(audience, {
          description: 'Usually equal to resourceManagerAudience.',
          examples: ['https://management.enclave.example/'],
        }),
        storage: text(audience, {
          description: 'Audience of storage accounts; the same in every known cloud.',
          examples: ['https://storage.azure.com/'],
          overrides: ['PLATFORM_STORAGE_AUDIENCE'],
        }),
        keyVault: text(audience, {
          description: 'Audience of key vaults; each cloud has its own.',
          examples: ['https://vault.enclave.example/'],
          overrides: ['PLATFORM_KEYVAULT_AUDIENCE'],
        }),
      },
    },
    services: {
      kind: 'record',
      isOptional: true,
      names: serviceName,
      description:
        'What applications use beside the fields above, by the name of the service. What serviceDnsSuffixes and serviceAudiences say is not repeated; queue, table, file and dfs derive from a storage suffix that begins with ".blob.".',
      values: {
        kind: 'group',
        fields: {
          dnsSuffix: optionalText(dnsSuffix, {
            description: 'What follows the name of a resource in its host name. Starts with ".".',
            examples: ['.servicebus.enclave.example'],
          }),
          url: optionalText(toolUrl, {
            description: 'The one address of a service that has no named resources.',
            examples: ['https://graph.enclave.example/'],
          }),
          audience: optionalText(toolUrl, {
            description: 'Token audience in the spelling that the service expects, with or without a final "/".',
            examples: ['https://graph.enclave.example/'],
          }),
          port: {
            kind: 'number',
            isOptional: true,
            most: 65_535,
            description: 'Port of the service. Default is 443.',
            examples: [1433],
          },
          otherHosts: list(hostName, {
            description: 'Further hosts of the service: a host equal to one, or below one, belongs to this cloud.',
            examples: ['events.enclave.example'],
          }),
          retired: {
            kind: 'flag',
            isOptional: true,
            description: 'Whether the service is retired. Its values are recognized only.',
          },
        },
      },
    },
    aliases: {
      kind: 'group',
      isOptional: true,
      description: 'Other names of what the fields above name.',
      fields: {
        authorityHosts: list(authorityUrl, {
          description: 'Other addresses of the login authority.',
          examples: ['https://sts.enclave.example/'],
        }),
        issuers: list(baseUrl, {
          description: 'Other issuers of its tokens, without the tenant.',
          examples: ['https://sts.enclave.example/'],
        }),
        resourceManagerAudiences: list(audience, {
          description: 'Other audiences that the resource manager accepts.',
          examples: ['https://management.core.enclave.example/'],
        }),
      },
    },
    toolNames: {
      kind: 'record',
      isOptional: true,
      names: serviceName,
      description: 'What other tools call this cloud, by tool: az, goAutorest, terraform.',
      values: text(label, {
        description: 'The name of this cloud in a tool.',
        examples: ['AzureEnclaveCloud'],
      }),
    },
    federatedAudience: optionalText(identifier, {
      description: 'Audience of the tokens that a federated credential of this cloud accepts.',
      examples: ['api://AzureADTokenExchange'],
    }),
    notes: optionalText(prose, {
      description: 'Deployment notes or warnings.',
      examples: ['Endpoints from the enclave handbook, chapter 3.'],
    }),
  },
} satisfies GroupField & { readonly fields: FieldsOf<CloudProfile> } as GroupField
