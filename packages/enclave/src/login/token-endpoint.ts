import { randomBytes } from 'node:crypto'
import type { Context } from '../context.ts'
import type { Principal } from '../directory.ts'
import { type EnclaveResponse, json, type EnclaveRequest, decodeSegment, formOf } from '../http/exchange.ts'
import { LoginError } from './login-error.ts'
import { type RequestedResource, requestedResource } from './requested-resource.ts'

type Form = ReadonlyMap<string, string>

interface GrantType {
  /** A confidential client must authenticate. A public client may authenticate. */
  readonly client: 'confidential' | 'public'
  readonly principal: (form: Form, clientId: string, context: Context) => Principal | Promise<Principal>
  /** Default is the resource in the form. */
  readonly requested?: (form: Form, clientId: string, context: Context) => RequestedResource
}

const deviceCode: GrantType = {
  client: 'public',
  requested: (form, clientId, { deviceCodes }) =>
    deviceCodes.redeem(form.get('device_code') ?? required(form, 'code'), clientId),
  principal: (_, clientId, { directory }) => directory.user(clientId),
}

const grants: Readonly<Record<string, GrantType>> = {
  client_credentials: { client: 'confidential', principal: (_, __, { directory }) => directory.application },
  password: {
    client: 'public',
    principal: (form, clientId, { directory }) => {
      if (required(form, 'username').toLowerCase() !== directory.username) throw new LoginError(50034)
      if (required(form, 'password') !== directory.password) throw new LoginError(50126)
      return directory.user(clientId)
    },
  },
  device_code: deviceCode,
  'urn:ietf:params:oauth:grant-type:device_code': deviceCode,
  /** A token can be used any number of times. */
  refresh_token: {
    client: 'public',
    principal: (form, clientId, { refreshTokens }) => {
      const principal = refreshTokens.get(required(form, 'refresh_token'))
      if (principal === undefined || principal.clientId !== clientId) throw new LoginError(70000)
      return principal
    },
  },
  /** A service exchanges its caller's token for a token of another service, on behalf of the same user. */
  'urn:ietf:params:oauth:grant-type:jwt-bearer': {
    client: 'confidential',
    principal: async (form, clientId, { directory, issuer }) => {
      if (form.get('requested_token_use') !== 'on_behalf_of') {
        throw new LoginError(900144, "Parameter: 'requested_token_use', 'on_behalf_of'.")
      }
      const claims = await issuer.verify(required(form, 'assertion'), [clientId, `api://${clientId}`]).catch(() => {
        throw new LoginError(50013, 'It must be a token of this tenant for the client that sends it.')
      })
      if (claims['scp'] === undefined) throw new LoginError(7000114)
      return directory.user(clientId)
    },
  },
}

/** @throws {LoginError} if the request is refused. */
export async function respondToTokenRequest(request: EnclaveRequest, context: Context): Promise<EnclaveResponse> {
  if (!context.isAuthority(request.headers.host ?? '')) throw new LoginError(900382)
  const form = withBasicCredentials(request)
  const type = required(form, 'grant_type')
  const grant = Object.hasOwn(grants, type) ? grants[type] : undefined
  if (grant === undefined) throw new LoginError(70003, `Grant type: '${type}'.`)
  const clientId = await authenticateClient(form, grant.client, context)
  const requested = grant.requested?.(form, clientId, context)
  const principal = await grant.principal(form, clientId, context)
  const version = context.federationService || request.path.includes('/v2.0/') ? 2 : 1
  return tokenResponse(principal, requested ?? requestedResource(form, context), form, context, version)
}

async function tokenResponse(
  principal: Principal,
  { audience, scope, openIdScopes }: RequestedResource,
  form: Form,
  { issuer, directory, refreshTokens, lenient }: Context,
  version: 1 | 2,
): Promise<EnclaveResponse> {
  const { token, issuedAt, expiresOn, expiresIn } = await issuer.accessToken(principal, audience, 'login/token')
  const lifetime = { expires_in: expiresIn, ext_expires_in: expiresIn }
  const texts = Object.entries({ ...lifetime, expires_on: expiresOn, not_before: issuedAt, resource: audience })
  const numbers =
    version === 2
      ? { scope: lenient ? `${audience}.default` : scope, ...lifetime }
      : Object.fromEntries(texts.map(([name, value]) => [name, String(value)]))
  const common = { token_type: 'Bearer', ...numbers, access_token: token }
  if (principal.kind !== 'user') return json(200, common)
  const refreshToken = randomBytes(64).toString('base64url')
  if (openIdScopes.has('offline_access')) refreshTokens.set(refreshToken, principal)
  const clientInfo = JSON.stringify({ uid: principal.objectId, utid: directory.directoryId })
  return json(200, {
    ...common,
    ...(openIdScopes.has('openid') && { id_token: await issuer.idToken(principal) }),
    ...(openIdScopes.has('offline_access') && { refresh_token: refreshToken }),
    ...(form.get('client_info') === '1' && { client_info: Buffer.from(clientInfo).toString('base64url') }),
  })
}

function required(form: Form, name: string): string {
  const value = form.get(name)
  if (value === undefined) throw new LoginError(900144, `Parameter: '${name}'.`)
  return value
}

/** @throws {LoginError} for an unknown client or scope. */
export async function respondToDeviceCodeRequest(request: EnclaveRequest, context: Context): Promise<EnclaveResponse> {
  const { addresses, directory, deviceCodes } = context
  const form = withBasicCredentials(request)
  const clientId = await authenticateClient(form, 'public', context)
  const signIn = deviceCodes.start(clientId, requestedResource(form, context))
  const page = addresses.of('approval', directory.tenantId)
  return json(200, {
    user_code: signIn.userCode,
    device_code: signIn.deviceCode,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${signIn.userCode}`,
    expires_in: signIn.lifetimeSeconds,
    interval: signIn.intervalSeconds,
    message: `To sign in, open ${page} in a web browser and enter the code ${signIn.userCode}.`,
  })
}

/** The form, with the credentials of an `Authorization: Basic` header (RFC 6749, section 2.3.1), which requests-oauthlib sends. */
function withBasicCredentials(request: EnclaveRequest): Form {
  const form = formOf(request)
  const [, encoded] = /^basic +([\w+/=-]+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (encoded === undefined) return form
  const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString().split(/:(.*)/s)
  const decode = (text: string) => decodeSegment(text.replaceAll('+', ' '))
  return new Map([['client_id', decode(id)], ['client_secret', decode(secret)], ...form])
}

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** Returns the id of the client. @throws {LoginError} 900144, 700016, 7000215, 7000218, or a number of the assertion. */
async function authenticateClient(
  form: Form,
  kind: GrantType['client'],
  { directory, verifyAssertion }: Context,
): Promise<string> {
  const clientId = required(form, 'client_id')
  const isKnown = kind === 'public' ? directory.isPublicClient(clientId) : clientId === directory.clientId
  if (!isKnown) throw new LoginError(700016, `Application: '${clientId}'.`)
  const assertion = form.get('client_assertion')
  const secret = form.get('client_secret')
  if (assertion !== undefined) {
    if (form.get('client_assertion_type') !== assertionType) {
      throw new LoginError(900144, `Parameter: 'client_assertion_type', '${assertionType}'.`)
    }
    await verifyAssertion(assertion, clientId)
  } else if (secret !== undefined) {
    if (!directory.isClientSecret(secret)) throw new LoginError(7000215)
  } else if (kind === 'confidential') {
    throw new LoginError(7000218)
  }
  return clientId
}
