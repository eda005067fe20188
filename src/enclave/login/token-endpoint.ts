import { randomBytes } from 'node:crypto'
import type { Directory, Principal } from '../directory.ts'
import type { FaultBoard } from '../faults/fault-board.ts'
import { type Answer, type EnclaveRequest, formOf, json } from '../http/route.ts'
import type { LoginAddresses } from './addresses.ts'
import type { VerifyAssertion } from './client-assertion.ts'
import type { DeviceCodes } from './device-codes.ts'
import { LoginError, injectedError } from './login-error.ts'
import { type RequestedResource, requestedResource } from './requested-resource.ts'
import type { SigningKey, TokenIssuer } from './token-issuer.ts'

/** The state that all endpoints of the login authority share. */
export interface LoginContext {
  readonly origin: string
  readonly addresses: LoginAddresses
  /** What the OpenID configuration says about the cloud. */
  readonly cloudClaims: Readonly<Record<string, string>>
  /** Whether the authority of the cloud has this host name. Others reach it as the authority of another cloud. */
  readonly isAuthority: (host: string) => boolean
  readonly directory: Directory
  readonly federationService: boolean
  /** Whether instance discovery describes this authority. */
  readonly discovery: boolean
  readonly issuer: TokenIssuer
  readonly key: SigningKey
  readonly verifyAssertion: VerifyAssertion
  readonly deviceCodes: DeviceCodes
  readonly refreshTokens: RefreshTokens
  readonly faults: FaultBoard
  readonly foreignOrigin: string
  /** Whether the answered scope is normalized. */
  readonly lenient: boolean
  readonly now: () => number
}

type Form = ReadonlyMap<string, string>

/** The token to issue. */
interface Grant {
  readonly principal: Principal
  readonly requested: RequestedResource
}

type GrantHandler = (form: Form, options: LoginContext) => Promise<Grant>

const grants: Readonly<Record<'client_credentials' | 'password' | 'device_code' | 'refresh_token', GrantHandler>> = {
  client_credentials: async (form, context) => {
    const { directory, verifyAssertion } = context
    await authenticateClient(form, 'confidential', directory, verifyAssertion)
    return { principal: directory.application, requested: requestedResource(form, context) }
  },
  password: async (form, context) => {
    const { directory, verifyAssertion } = context
    const clientId = await authenticateClient(form, 'public', directory, verifyAssertion)
    if (required(form, 'username').toLowerCase() !== directory.username) throw new LoginError(50034)
    if (required(form, 'password') !== directory.password) throw new LoginError(50126)
    return { principal: directory.user(clientId), requested: requestedResource(form, context) }
  },
  device_code: async (form, { directory, verifyAssertion, deviceCodes }) => {
    const clientId = await authenticateClient(form, 'public', directory, verifyAssertion)
    const { requested } = deviceCodes.redeem(form.get('device_code') ?? required(form, 'code'), clientId)
    return { principal: directory.user(clientId), requested }
  },
  refresh_token: async (form, context) => {
    const { directory, verifyAssertion, refreshTokens } = context
    const clientId = await authenticateClient(form, 'public', directory, verifyAssertion)
    const principal = refreshTokens.redeem(required(form, 'refresh_token'), clientId)
    return { principal, requested: requestedResource(form, context) }
  },
}
/** A service exchanges the token that its caller sent for one of another service, on behalf of the same user. */
const onBehalfOf: GrantHandler = async (form, context) => {
  const { directory, issuer, verifyAssertion } = context
  const clientId = await authenticateClient(form, 'confidential', directory, verifyAssertion)
  if (form.get('requested_token_use') !== 'on_behalf_of') {
    throw new LoginError(900144, "Parameter: 'requested_token_use', 'on_behalf_of'.")
  }
  const own = [clientId, `api://${clientId}`]
  const claims = await issuer.verify(required(form, 'assertion'), own).catch(() => {
    throw new LoginError(50013, 'It is not a token of this tenant for the client that sends it.')
  })
  if (claims['scp'] === undefined) throw new LoginError(7000114)
  return { principal: directory.user(clientId), requested: requestedResource(form, context) }
}

const grantsByType = new Map<string, GrantHandler>([
  ...Object.entries(grants),
  ['urn:ietf:params:oauth:grant-type:device_code', grants.device_code],
  ['urn:ietf:params:oauth:grant-type:jwt-bearer', onBehalfOf],
])

/**
 * Answers one POST to the token endpoint.
 *
 * @throws {LoginError} When the request earns no token.
 */
export async function answerTokenRequest(request: EnclaveRequest, options: LoginContext): Promise<Answer> {
  const injected = options.faults.find('aadsts', 'login/token')
  if (injected) throw injectedError(injected)
  if (!options.isAuthority(request.headers.host ?? '')) throw new LoginError(900382)
  const form = formOf(request)
  const type = required(form, 'grant_type')
  const grant = grantsByType.get(type)
  if (grant === undefined) throw new LoginError(70003, `Grant type: '${type}'.`)
  return tokenAnswer(await grant(form, options), form, options)
}

async function tokenAnswer({ principal, requested }: Grant, form: Form, options: LoginContext): Promise<Answer> {
  const { issuer, directory, refreshTokens, lenient } = options
  const { token, expiresIn } = await issuer.accessToken(principal, requested.audience, 'login/token')
  const scopes = requested.openIdScopes
  const ofUser =
    principal.kind === 'user'
      ? {
          ...(scopes.has('openid') ? { id_token: await issuer.idToken(principal, principal.clientId) } : {}),
          ...(scopes.has('offline_access') ? { refresh_token: refreshTokens.issue(principal) } : {}),
          ...(form.get('client_info') === '1' ? { client_info: clientInfo(principal, directory) } : {}),
        }
      : {}
  return json(200, {
    token_type: 'Bearer',
    scope: lenient ? `${requested.audience}.default` : requested.scope,
    expires_in: expiresIn,
    ext_expires_in: expiresIn,
    access_token: token,
    ...ofUser,
  })
}

function clientInfo(principal: Principal, directory: Directory): string {
  return Buffer.from(JSON.stringify({ uid: principal.objectId, utid: directory.directoryId })).toString('base64url')
}

function required(form: Form, name: string): string {
  const value = form.get(name)
  if (value === undefined) throw new LoginError(900144, `Parameter: '${name}'.`)
  return value
}

/**
 * Answers one POST to the device code endpoint.
 *
 * @throws {LoginError} For a client or scope that may not sign in.
 */
export async function answerDeviceCodeRequest(request: EnclaveRequest, options: LoginContext): Promise<Answer> {
  const { addresses, directory, verifyAssertion, deviceCodes, faults } = options
  const { approvalPage } = addresses
  const injected = faults.find('aadsts', 'login/device-code')
  if (injected) throw injectedError(injected)

  const form = formOf(request)
  const clientId = await authenticateClient(form, 'public', directory, verifyAssertion)
  const { userCode, deviceCode, lifetimeSeconds, intervalSeconds } = deviceCodes.start(
    clientId,
    requestedResource(form, options),
  )
  return json(200, {
    user_code: userCode,
    device_code: deviceCode,
    verification_uri: approvalPage,
    verification_uri_complete: `${approvalPage}?user_code=${userCode}`,
    expires_in: lifetimeSeconds,
    interval: intervalSeconds,
    message: `To sign in, open ${approvalPage} in a web browser and enter the code ${userCode}.`,
  })
}

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** A confidential client must authenticate. A public client may, and is then checked. */
export type ClientKind = 'confidential' | 'public'

/**
 * Identifies and authenticates the client.
 *
 * @returns Its client id.
 * @throws {LoginError} 900144, 700016, 7000215, 7000218, or a number of the assertion.
 */
async function authenticateClient(
  form: ReadonlyMap<string, string>,
  kind: ClientKind,
  directory: Directory,
  verifyAssertion: VerifyAssertion,
): Promise<string> {
  const clientId = form.get('client_id')
  if (clientId === undefined) throw new LoginError(900144, "Parameter: 'client_id'.")
  const known = kind === 'public' ? directory.isPublicClient(clientId) : clientId === directory.clientId
  if (!known) throw new LoginError(700016, `Application: '${clientId}'.`)

  const assertion = form.get('client_assertion')
  const secret = form.get('client_secret')
  if (assertion !== undefined) {
    if (form.get('client_assertion_type') !== assertionType) {
      throw new LoginError(900144, `Parameter: 'client_assertion_type', '${assertionType}'.`)
    }
    await verifyAssertion(assertion, clientId)
  } else if (secret !== undefined) {
    if (secret !== directory.clientSecret) throw new LoginError(7000215)
  } else if (kind === 'confidential') {
    throw new LoginError(7000218)
  }
  return clientId
}

export type RefreshTokens = ReturnType<typeof createRefreshTokens>

/** Refresh tokens, each valid for any number of uses. */
export function createRefreshTokens() {
  const principals = new Map<string, Principal>()
  return {
    issue: (principal: Principal): string => {
      const token = randomBytes(64).toString('base64url')
      principals.set(token, principal)
      return token
    },
    /** @throws {LoginError} 70000 for an unknown token or another client's. */
    redeem: (token: string, clientId: string): Principal => {
      const principal = principals.get(token)
      if (principal === undefined || principal.clientId !== clientId) throw new LoginError(70000)
      return principal
    },
  }
}
