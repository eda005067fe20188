/** Conditions and symptoms in the specification of the service, for a search by what people report. */
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
