import type { Directory, Principal } from '../directory.ts'
import { type Answer, type EnclaveRequest, formOf, json } from '../http/answer.ts'
import { authenticateClient } from './client-authentication.ts'
import type { LoginContext } from './login-context.ts'
import { LoginError, injectedError } from './login-error.ts'
import { type RequestedResource, requestedResource } from './requested-resource.ts'

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
const grantsByType = new Map<string, GrantHandler>([
  ...Object.entries(grants),
  ['urn:ietf:params:oauth:grant-type:device_code', grants.device_code],
])

/**
 * Answers one POST to the token endpoint.
 *
 * @throws {LoginError} When the request earns no token.
 */
export async function answerTokenRequest(request: EnclaveRequest, options: LoginContext): Promise<Answer> {
  const injected = options.faults.find('aadsts', 'login/token')
  if (injected) throw injectedError(injected)
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
