import type { JWTPayload } from 'jose'
import { type BearerRefusal, checkBearer, type TokenIssuer } from './login/token-issuer.ts'
import type { FaultBoard } from './faults/fault-board.ts'
import { type Answer, type EnclaveRequest, type Route } from './http/route.ts'
import { vaultError } from './vault.ts'
import { refuseVersion, type VersionSet } from './versions.ts'
import { storageError } from './storage/storage-http.ts'

export interface DataPlaneOptions {
  readonly role: 'vault' | 'storage'
  /** The audience in the challenge. */
  readonly audience: string
  /** Accepted too. */
  readonly otherAudiences?: readonly string[]
  /** The login endpoint with the tenant. */
  readonly authorizationUri: string
  readonly issuer: TokenIssuer
  readonly faults: FaultBoard
  readonly foreignOrigin: string
  readonly versions: VersionSet
  /** The answer to an accepted request. */
  readonly content: (request: EnclaveRequest, origin: string, claims: JWTPayload) => Answer | Promise<Answer>
}

/** The reason of a refusal: the token, the caller's roles, or the caller's address. */
type Refusal = BearerRefusal | 'forbidden' | 'firewall'
type Refuse = (refusal: Refusal) => Answer

interface DataPlane {
  readonly challenge: (authority: string, audience: string) => string
  readonly refuse: Refuse
}

const vaultRefusals: Readonly<Record<Refusal, Parameters<typeof vaultError>>> = {
  missing: [401, 'Unauthorized', 'AKV10000: The request has no bearer token.'],
  expired: [401, 'Unauthorized', 'AKV10043: The token has expired.'],
  'wrong-audience': [401, 'Unauthorized', 'AKV10022: The token is for another audience than this vault.'],
  invalid: [401, 'Unauthorized', 'AKV10032: The token is invalid.'],
  forbidden: [403, 'Forbidden', 'The caller has no role that allows this action.', 'ForbiddenByRbac'],
  firewall: [403, 'Forbidden', 'The address of the caller is not allowed by the firewall.', 'ForbiddenByFirewall'],
}

function invalidAuthentication(check: string): Parameters<typeof storageError> {
  const detail = `<AuthenticationErrorDetail>${check} validation failed.</AuthenticationErrorDetail>`
  return [401, 'InvalidAuthenticationInfo', 'The authentication failed.', detail]
}

const storageRefusals: Readonly<Record<Refusal, Parameters<typeof storageError>>> = {
  missing: [401, 'NoAuthenticationInformation', 'The request has no authentication information.'],
  expired: invalidAuthentication('Lifetime'),
  'wrong-audience': invalidAuthentication('Audience'),
  invalid: invalidAuthentication('Signature'),
  forbidden: [403, 'AuthorizationPermissionMismatch', 'The caller has no role that allows this operation.'],
  firewall: [403, 'AuthorizationFailure', 'The network rules of the account do not allow this request.'],
}

/** Both services challenge with authority and resource, in different formats. */
const planes: Readonly<Record<DataPlaneOptions['role'], DataPlane>> = {
  vault: {
    challenge: (authority, audience) =>
      `Bearer authorization="${authority}", resource="${audience.replace(/\/$/, '')}"`,
    refuse: (refusal) => vaultError(...vaultRefusals[refusal]),
  },
  storage: {
    challenge: (authority, audience) =>
      `Bearer authorization_uri=${authority}/oauth2/authorize resource_id=${audience.replace(/\/$/, '')}`,
    refuse: (refusal) => storageError(...storageRefusals[refusal]),
  },
}

/** A key vault, or a storage account. Every request needs a token. */
export function dataPlaneRoutes(options: DataPlaneOptions): readonly Route[] {
  return [{ method: '*', path: '*', handle: (request) => answer(request, options) }]
}

async function answer(request: EnclaveRequest, options: DataPlaneOptions): Promise<Answer> {
  const { role, audience, otherAudiences = [], issuer, faults } = options
  const plane = planes[role]
  // A storage account takes tokens for its own address too.
  const own = role === 'storage' ? [`https://${request.headers.host ?? 'localhost'}/`] : []
  const verdict = await checkBearer(request, issuer, [audience, ...otherAudiences, ...own])
  if (!verdict.accepted) return challenged(plane.refuse(verdict.reason), options)
  if (faults.find('rejects-token', role)) return challenged(plane.refuse('invalid'), options)
  const refusal = (['forbidden', 'firewall'] as const).find((kind) => faults.find(kind, role))
  if (refusal) return plane.refuse(refusal)
  return (
    refuseVersion[role](request, options.versions) ??
    options.content(request, `https://${request.headers.host ?? 'localhost'}`, verdict.claims)
  )
}

/** Adds the challenge, which names the accepted authority and resource. */
function challenged(refused: Answer, options: DataPlaneOptions): Answer {
  const { role, audience, authorizationUri, faults, foreignOrigin } = options
  if (faults.find('missing-challenge', role)) return refused
  const { challenge } = planes[role]
  const value = faults.find('foreign-challenge', role)
    ? challenge(`${foreignOrigin}/common`, `${foreignOrigin}/`)
    : challenge(authorizationUri, audience)
  return { ...refused, headers: { ...refused.headers, 'www-authenticate': value } }
}
