import { type CryptoKey, type JWK, calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'

/** An RSA 2048 pair that signs tokens, with the public half as a JSON Web Key. */
export interface SigningKey {
  readonly kid: string
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
  readonly publicJwk: JWK
}

/** The use of a key. There is one key per use and process, because making RSA keys is the slow part of a start. */
export type KeyUse = 'access-token' | 'cluster-token' | 'client-certificate'

const keys = new Map<KeyUse, Promise<SigningKey>>()

/** The process-wide RSA key for one use, made at the first call. */
export function signingKey(use: KeyUse): Promise<SigningKey> {
  const made = keys.get(use) ?? generateSigningKey()
  keys.set(use, made)
  return made
}

async function generateSigningKey(): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true })
  const jwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  return { kid, privateKey, publicKey, publicJwk: { ...jwk, kid, use: 'sig', alg: 'RS256' } }
}
