import type { Context } from './context.ts'
import { type EnclaveResponse, json, type EnclaveRequest, type Route } from './http/exchange.ts'
import { unknownResource } from './login/login-error.ts'

type Refuse = (status: number, code: string, message: string) => EnclaveResponse

/** The path of IDENTITY_ENDPOINT on App Service. */
export const appServiceTokenPath = '/msi/token'

const instanceMetadataPath = '/metadata/identity/oauth2/token'

export function managedIdentityRoutes(context: Context): readonly Route[] {
  const rows = [
    [appServiceTokenPath, appService],
    [instanceMetadataPath, instanceMetadata],
    // The credential library adds a final slash, and people don't.
    [`${instanceMetadataPath}/`, instanceMetadata],
  ] as const
  return rows.map(([path, respond]) => ({ method: 'GET', path, handle: (request) => respond(request, context) }))
}

function appService(request: EnclaveRequest, context: Context): EnclaveResponse | Promise<EnclaveResponse> {
  const refuse: Refuse = (statusCode, _, message) => json(statusCode, { statusCode, message })
  if (request.headers['x-identity-header'] !== context.directory.identityHeader) {
    return refuse(401, 'unauthorized', 'The X-IDENTITY-HEADER header is missing or wrong.')
  }
  if (request.query.get('api-version') !== '2019-08-01') {
    return refuse(400, 'bad_request', "The api-version must be '2019-08-01'.")
  }
  return respondToTokenRequest(request, context, refuse)
}

function instanceMetadata(request: EnclaveRequest, context: Context): EnclaveResponse | Promise<EnclaveResponse> {
  const refuse: Refuse = (status, error, message) => json(status, { error, error_description: message })
  if (request.headers['metadata']?.toString().toLowerCase() !== 'true' || 'x-forwarded-for' in request.headers) {
    return refuse(400, 'bad_request_102', 'Required metadata header not specified')
  }
  if (!request.query.has('api-version')) return refuse(400, 'bad_request', 'The api-version is missing.')
  return respondToTokenRequest(request, context, refuse)
}

async function respondToTokenRequest(
  { query }: EnclaveRequest,
  { directory, issuer }: Context,
  refuse: Refuse,
): Promise<EnclaveResponse> {
  const { managedIdentity } = directory
  const resource = query.get('resource') ?? ''
  const clientId = query.get('client_id') ?? managedIdentity.clientId
  if (clientId !== managedIdentity.clientId) return refuse(400, 'invalid_request', 'Identity not found')
  if (resource === '') return refuse(400, 'invalid_request', "Required parameter 'resource' not specified")
  if (!directory.hasAudience(resource)) {
    return refuse(400, 'invalid_resource', `AADSTS500011: ${unknownResource(resource, directory).message}`)
  }
  const { token, expiresOn, expiresIn } = await issuer.accessToken(managedIdentity, resource, 'managed-identity')
  return json(200, {
    access_token: token,
    client_id: clientId,
    // Both endpoints send their numbers as strings.
    expires_in: String(expiresIn),
    expires_on: String(expiresOn),
    resource,
    token_type: 'Bearer',
  })
}
