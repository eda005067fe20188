import { withValueAt, type FieldPath } from '../../src/lib/profile/field-path.ts'

const complete = {
  name: 'my-enclave',
  displayName: 'My enclave',
  environment: 'custom',
  authorityHost: 'https://login.enclave.example/',
  resourceManagerEndpoint: 'https://management.enclave.example/',
  resourceManagerAudience: 'https://management.enclave.example/',
  tenantId: '11111111-2222-3333-4444-555555555555',
  portalUrl: 'https://portal.enclave.example/',
  metadataEndpoint: 'https://management.enclave.example/metadata/endpoints',
  serviceDnsSuffixes: {
    storage: '.blob.core.enclave.example',
    keyVault: '.vault.enclave.example',
    sqlServer: '.database.enclave.example',
    containerRegistry: '.azurecr.enclave.example',
  },
  serviceAudiences: {
    arm: 'https://management.enclave.example/',
    storage: 'https://storage.enclave.example/',
    keyVault: 'https://vault.enclave.example/',
  },
  services: {
    microsoftGraph: { url: 'https://graph.enclave.example/', audience: 'https://graph.enclave.example/' },
    directoryGraph: { url: 'https://directory.enclave.example/', retired: true },
    sqlServer: { audience: 'https://database.enclave.example/', port: 1433 },
    serviceBus: { dnsSuffix: '.servicebus.enclave.example', otherHosts: ['events.enclave.example'] },
  },
  aliases: {
    authorityHosts: ['https://sts.enclave.example/'],
    issuers: ['https://issuer.enclave.example/'],
    resourceManagerAudiences: ['https://management.core.enclave.example/'],
  },
  toolNames: { az: 'AzureEnclaveCloud' },
  federatedAudience: 'api://AzureADTokenExchangeEnclave',
  notes: 'From the enclave handbook.',
}

/** A valid profile with every field, fresh each time; some fields may be replaced, by anything. */
export function profileDocument(fields: Readonly<Record<string, unknown>> = {}): typeof complete {
  let document = structuredClone(complete)
  for (const [path, value] of Object.entries(fields))
    document = withValueAt(document, path as FieldPath, value as string)
  return document
}

/** As {@link profileDocument}, without one field or group. */
export function profileWithout(path: string): object {
  const [group = '', leaf] = path.split('.')
  const document: Record<string, unknown> = profileDocument()
  if (leaf === undefined) delete document[group]
  else document[group] = Object.fromEntries(Object.entries(document[group] as object).filter(([key]) => key !== leaf))
  return document
}

/** As {@link profileDocument}, but every host is a placeholder, so that no host is contacted. */
export function unreachableDocument(fields: Readonly<Record<string, unknown>> = {}): typeof complete {
  const text = JSON.stringify(profileDocument()).replaceAll('enclave.example', 'enclave.invalid')
  return { ...(JSON.parse(text) as typeof complete), ...fields }
}

/** The least that the profile of a private cloud in a domain has. */
export function privateDocument(domain: string) {
  const manager = `https://management.${domain}/`
  return {
    name: domain,
    displayName: domain,
    environment: 'custom',
    authorityHost: `https://login.${domain}/`,
    resourceManagerEndpoint: manager,
    resourceManagerAudience: manager,
    metadataEndpoint: `${manager}metadata/endpoints`,
    serviceDnsSuffixes: {
      storage: `.blob.${domain}`,
      keyVault: `.vault.${domain}`,
      sqlServer: `.database.${domain}`,
      containerRegistry: `.azurecr.${domain}`,
    },
    serviceAudiences: { arm: manager, storage: `https://storage.${domain}/`, keyVault: `https://vault.${domain}/` },
  } as const
}
