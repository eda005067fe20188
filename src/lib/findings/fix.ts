/** The fields of a profile that a fix may change. Services that a cloud lists beside the required ones have a field each. */
export type ChangeableField =
  | 'authorityHost'
  | 'resourceManagerEndpoint'
  | 'resourceManagerAudience'
  | 'metadataEndpoint'
  | 'tenantId'
  | `serviceDnsSuffixes.${'storage' | 'keyVault' | 'sqlServer' | 'containerRegistry'}`
  | `serviceAudiences.${'arm' | 'storage' | 'keyVault'}`
  | `services.${string}`

/** The one thing that a fix sets: an environment variable, or a field of a profile file. */
export type Change =
  | { readonly variable: string; readonly value?: string }
  | { readonly field: ChangeableField; readonly file: string; readonly value?: string }

/** What an operator does about a failure. */
export interface Fix {
  /** Begins with a verb, and names the variable, field, file or command. */
  readonly text: string
  readonly change?: Change
  /** Who has to act, where it is not the reader, such as `operator of login.enclave.test`. */
  readonly by?: string
}
