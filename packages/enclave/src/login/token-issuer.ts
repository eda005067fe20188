import { randomBytes } from 'node:crypto'
import { type JWTPayload, SignJWT, calculateJwkThumbprint, errors, exportJWK, generateKeyPair, jwtVerify } from 'jose'
import { type Directory, type Principal, type User, withoutSlash } from '../directory.ts'
import type { FaultBoard } from '../faults/fault-board.ts'
import type { FaultTarget } from '../faults/fault.ts'
import type { LoginAddresses } from '../named-cloud.ts'

/** An RSA 2048 key pair for tokens, with the public key as a JSON Web Key. */
export type SigningKey = Awaited<ReturnType<typeof generateSigningKey>>

/** The process has one key for each use, because making an RSA key is the slow part of a start. */
type KeyUse = 'access-token' | 'cluster-token' | 'client-certificate'

const keys = new Map<KeyUse, Promise<SigningKey>>()

export function signingKey(use: KeyUse): Promise<SigningKey> {
  const key = keys.get(use) ?? generateSigningKey()
  keys.set(use, key)
  return key
}

async function generateSigningKey() {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true })
  const jwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  return { kid, privateKey, publicKey, publicJwk: { ...jwk, kid, use: 'sig', alg: 'RS256' } }
}

export interface TokenIssuerOptions {
  readonly directory: Directory
  readonly addresses: LoginAddresses
  readonly key: SigningKey
  readonly faults: FaultBoard
  readonly federationService: boolean
  readonly tokenLifetimeSeconds: number
  readonly now: () => number
}

export type TokenRefusal = 'missing' | 'expired' | 'wrong-audience' | 'invalid'

type Verdict =
  | { readonly claims: JWTPayload; readonly reason?: undefined }
  | { readonly claims?: undefined; readonly reason: TokenRefusal }

export function createTokenIssuer(options: TokenIssuerOptions) {
  const { directory, addresses, key, faults, federationService, tokenLifetimeSeconds: lifetimeSeconds } = options
  const nowSeconds = (): number => Math.floor(options.now() / 1000)
  const sign = (claims: JWTPayload): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: key.kid }).sign(key.privateKey)

  const validity = (issuedAt = nowSeconds()) => ({ iat: issuedAt, nbf: issuedAt, exp: issuedAt + lifetimeSeconds })

  /** The faults of `target`, where the token is requested, change the token. `expiresOn` is in seconds since the epoch. */
  const accessToken = async (principal: Principal, audience: string, target: FaultTarget) => {
    const isUser = principal.kind === 'user'
    const claims = {
      appid: principal.clientId,
      app_displayname: 'Enclave application',
      ver: '1.0',
      ...(federationService
        ? { apptype: isUser ? 'Public' : 'Confidential' }
        : {
            tid: directory.tenantId,
            oid: principal.objectId,
            idtyp: isUser ? 'user' : 'app',
            uti: randomBytes(16).toString('base64url'),
          }),
      ...(isUser && { name: principal.displayName, upn: principal.username, scp: 'user_impersonation' }),
      aud: audience,
      iss: addresses.accessTokenIssuer,
      sub: principal.objectId,
      ...validity(),
    }
    const opaque = faults.find('opaque-token', target) !== undefined
    return {
      token: opaque ? randomBytes(96).toString('base64url') : await sign(faults.editClaims(claims, target)),
      issuedAt: claims.iat,
      expiresOn: claims.exp,
      expiresIn: lifetimeSeconds,
    }
  }

  /** The claims of a token that this issuer signed for one of the audiences. A final slash is ignored. Throws the errors of jose. */
  const verify = async (token: string, audiences: readonly string[]): Promise<JWTPayload> => {
    const { payload } = await jwtVerify(token, key.publicKey, {
      algorithms: ['RS256'],
      issuer: addresses.accessTokenIssuer,
      audience: audiences.flatMap((audience) => [withoutSlash(audience), `${withoutSlash(audience)}/`]),
      currentDate: new Date(options.now()),
    })
    return payload
  }

  return {
    accessToken,
    idToken: ({ clientId, objectId, displayName, username }: User): Promise<string> =>
      sign({
        // Also from the federation service of a stack, because az requires the directory.
        tid: directory.directoryId,
        ...(federationService ? {} : { oid: objectId, ver: '2.0' }),
        name: displayName,
        upn: username,
        preferred_username: username,
        aud: clientId,
        iss: addresses.configurationIssuer(directory.tenantId),
        sub: objectId,
        ...validity(),
      }),
    /** Issues a token of another service. `check` accepts it too. */
    issue: (claims: Pick<JWTPayload, 'aud' | 'sub'>): Promise<string> =>
      sign({ iss: addresses.accessTokenIssuer, ...validity(), ...claims }),
    verify,
    /** Checks signature, issuer, audience and time of the token in an Authorization header. */
    check: async (authorization: string | undefined, audiences: readonly string[]): Promise<Verdict> => {
      const token = /^Bearer (?<token>\S+)$/i.exec(authorization ?? '')?.groups?.['token']
      if (token === undefined) return { reason: 'missing' }
      try {
        return { claims: await verify(token, audiences) }
      } catch (error) {
        if (error instanceof errors.JWTExpired) return { reason: 'expired' }
        const isAudience = error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud'
        return { reason: isAudience ? 'wrong-audience' : 'invalid' }
      }
    },
  }
}
