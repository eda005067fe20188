/** Everything that may go to one host only. Letters, digits and hyphens, so that no encoding of a request changes them. */
export const planted = {
  clientSecret: 'planted-client-secret-Zq81',
  password: 'planted-password-Vx27',
  federatedAssertion: 'planted-federated.planted-assertion.planted-signature-Rk55',
  identityHeader: 'planted-identity-header-Hm93',
  deviceCode: 'planted-device-code-Tw64',
  accessTokenSignature: 'planted-access-token-signature-Lc19',
  /** Of a token for a storage account or a key vault. */
  serviceTokenSignature: 'planted-service-token-signature-Fy72',
} as const

export type PlantedSecret = keyof typeof planted | 'clientAssertion'

/** The secrets that a request carries. A client assertion is made up anew each time, so its field gives it away. */
export function secretsIn(text: string): PlantedSecret[] {
  const names = (Object.keys(planted) as (keyof typeof planted)[]).filter((name) => text.includes(planted[name]))
  return /client_assertion=/.test(text) ? [...names, 'clientAssertion'] : names
}
