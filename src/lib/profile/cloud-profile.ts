import type { output } from 'zod/v4/core'
import type { Exact } from '../base/json.ts'
import { cloudEnvironments, type CloudProfile } from '../clouds/cloud-file.ts'
import {
  choiceField,
  flagField,
  groupField,
  listField,
  numberField,
  optionalField,
  optionalText,
  recordField,
  textField,
  address,
  audience,
  authorityUrl,
  baseUrl,
  dnsSuffix,
  hostName,
  identifier,
  label,
  prose,
  serviceName,
  tenant,
  toolUrl,
} from './field.ts'

export { cloudEnvironments, type CloudEnvironment, type CloudProfile, type DnsService } from '../clouds/cloud-file.ts'

/**
 * The table of a profile: every field with its rules, its text and its variables. The order of the fields, `cloud-profiles/schema.json`, the
 * override variables, and the code that explains and fills profiles derive from this table. The compiler holds it to {@link CloudProfile}.
 */
export const profileTable = groupField({
  name: textField(label, {
    description: 'Identifier of the profile. Must not be empty.',
    examples: ['my-enclave'],
  }),
  displayName: textField(label, {
    description: 'Name for people, shown on the page and in logs. Must not be empty.',
    examples: ['My enclave'],
  }),
  environment: choiceField(cloudEnvironments, {
    description: 'The kind of cloud.',
    examples: ['custom'],
  }),
  authorityHost: textField(authorityUrl, {
    description:
      'Login endpoint of the identity provider: an https URL that ends with "/". A federation service ends with "/adfs/".',
    examples: ['https://login.enclave.example/', 'https://adfs.enclave.example/adfs/'],
    overrides: ['PLATFORM_AUTHORITY_HOST'],
  }),
  resourceManagerEndpoint: textField(baseUrl, {
    description: 'REST endpoint of the resource manager: an http or https URL that ends with "/".',
    examples: ['https://management.enclave.example/'],
    overrides: ['PLATFORM_RESOURCE_MANAGER_ENDPOINT'],
  }),
  resourceManagerAudience: textField(audience, {
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
  serviceDnsSuffixes: groupField(
    {
      storage: textField(dnsSuffix, {
        description: 'DNS suffix of storage accounts (blob).',
        examples: ['.blob.core.enclave.example'],
        overrides: ['PLATFORM_STORAGE_DNS_SUFFIX'],
      }),
      keyVault: textField(dnsSuffix, {
        description: 'DNS suffix of key vaults.',
        examples: ['.vault.enclave.example'],
        overrides: ['PLATFORM_KEYVAULT_DNS_SUFFIX'],
      }),
      sqlServer: textField(dnsSuffix, {
        description: 'DNS suffix of SQL servers.',
        examples: ['.database.enclave.example'],
        overrides: ['PLATFORM_SQL_DNS_SUFFIX'],
      }),
      containerRegistry: textField(dnsSuffix, {
        description: 'DNS suffix of container registries.',
        examples: ['.azurecr.enclave.example'],
        overrides: ['PLATFORM_ACR_DNS_SUFFIX'],
      }),
    },
    {
      description: 'What follows the name of a resource in its host name. Each starts with ".".',
    },
  ),
  serviceAudiences: groupField(
    {
      // No variable overrides this one, as the specification has it.
      arm: textField(audience, {
        description: 'Usually equal to resourceManagerAudience.',
        examples: ['https://management.enclave.example/'],
      }),
      storage: textField(audience, {
        description: 'Audience of storage accounts; the same in every known cloud.',
        examples: ['https://storage.azure.com/'],
        overrides: ['PLATFORM_STORAGE_AUDIENCE'],
      }),
      keyVault: textField(audience, {
        description: 'Audience of key vaults; each cloud has its own.',
        examples: ['https://vault.enclave.example/'],
        overrides: ['PLATFORM_KEYVAULT_AUDIENCE'],
      }),
    },
    {
      description: 'Token audiences of the services. Each is an absolute URL that ends with "/".',
    },
  ),
  services: recordField(
    groupField({
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
      port: numberField(65_535, { description: 'Port of the service. Default is 443.', examples: [1433] }),
      otherHosts: listField(hostName, {
        description: 'Further hosts of the service: a host equal to one, or below one, belongs to this cloud.',
        examples: ['events.enclave.example'],
      }),
      retired: flagField({ description: 'Whether the service is retired. Its values are recognized only.' }),
    }),
    serviceName,
    {
      description:
        'What applications use beside the fields above, by the name of the service. What serviceDnsSuffixes and serviceAudiences say is not repeated; queue, table, file and dfs derive from a storage suffix that begins with ".blob.".',
    },
  ),
  aliases: optionalField(
    groupField(
      {
        authorityHosts: listField(authorityUrl, {
          description: 'Other addresses of the login authority.',
          examples: ['https://sts.enclave.example/'],
        }),
        issuers: listField(baseUrl, {
          description: 'Other issuers of its tokens, without the tenant.',
          examples: ['https://sts.enclave.example/'],
        }),
        resourceManagerAudiences: listField(audience, {
          description: 'Other audiences that the resource manager accepts.',
          examples: ['https://management.core.enclave.example/'],
        }),
      },
      { description: 'Other names of what the fields above name.' },
    ),
  ),
  toolNames: recordField(
    textField(label, { description: 'The name of this cloud in a tool.', examples: ['AzureEnclaveCloud'] }),
    serviceName,
    { description: 'What other tools call this cloud, by tool: az, goAutorest, terraform.' },
  ),
  federatedAudience: optionalText(identifier, {
    description: 'Audience of the tokens that a federated credential of this cloud accepts.',
    examples: ['api://AzureADTokenExchange'],
  }),
  notes: optionalText(prose, {
    description: 'Deployment notes or warnings.',
    examples: ['Endpoints from the enclave handbook, chapter 3.'],
  }),
})

type Parsed = Exact<output<typeof profileTable>>
true satisfies Parsed extends CloudProfile ? (CloudProfile extends Parsed ? true : false) : false
