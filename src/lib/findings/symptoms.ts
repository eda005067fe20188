/** What people report before anyone has looked: the conditions and symptoms that the service's specification lists. */
export const symptoms = [
  'Requested profile name is not a built-in name',
  'Profile fails schema or runtime validation',
  'A required environment variable is absent when a credential is built',
  'Metadata endpoint field absent when discovery is requested',
  'Authority host validation failed / Instance Discovery failed',
  'Network request failed at credential use',
  'Token acquired, API calls return 401',
  'AADSTS50049: Unknown or invalid instance',
  'Token acquisition failed',
  'Cloud profile not found',
] as const

export type Symptom = (typeof symptoms)[number]
