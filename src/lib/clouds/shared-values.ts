/** A value that is the same in every known cloud, and so belongs to no cloud. */
interface SharedValue {
  readonly value: string
  readonly service: string
  readonly source: string
}

export const sharedAudiences: readonly SharedValue[] = [
  { value: 'https://storage.azure.com', service: 'storage', source: 'go-autorest' },
  // The SDKs send these two to the namespaces of every cloud.
  {
    value: 'https://servicebus.azure.net',
    service: 'service-bus',
    source: 'azure-sdk-for-js sdk/servicebus constants',
  },
  { value: 'https://eventhubs.azure.net', service: 'service-bus', source: 'azure-sdk-for-js sdk/eventhub constants' },
]

/** Hosts of identifiers that are the same text in every cloud, with their subdomains. They are not addresses of a cloud. */
export const sharedHosts: readonly string[] = ['schema.management.azure.com']

/** Hosts that no service answers at: an address below one is an identifier, such as the URL of a FHIR extension (microsoft/fhir-server). */
// cloud-profile-ignore: an identifier
export const identifierHosts: readonly string[] = ['azurehealthcareapis.com']
