import { createAppConfiguration } from './app-configuration.ts'
import { createLanguageModels } from './language-models.ts'
import type { Context } from './context.ts'
import type { Directory } from './directory.ts'
import type { EnclaveRequest, EnclaveResponse, ErrorText, Handler, Role, Route } from './http/exchange.ts'
import { formOf, json, refusal, withHeaders } from './http/exchange.ts'
import { loginRoutes } from './login/login-authority.ts'
import { managedIdentityRoutes } from './managed-identity.ts'
import { protect } from './protect.ts'
import { resourceManagerRoutes } from './resource-manager.ts'
import { createVault } from './vault.ts'

/** Handles every request of a role. */
const all = (handle: Handler): readonly Route[] => [{ method: '*', path: '*', handle }]

export const routesOf: Readonly<Record<Role, (context: Context) => readonly Route[]>> = {
  login: loginRoutes,
  'resource-manager': resourceManagerRoutes,
  vault: (context) => all(protect('vault', context, createVault(context))),
  storage: (context) => all(protect('storage', context, context.account)),
  graph: (context) => all(protect('graph', context, createGraph(context.directory))),
  registry: registryRoutes,
  'app-configuration': (context) => all(protect('app-configuration', context, createAppConfiguration(context))),
  ai: (context) => all(protect('ai', context, createLanguageModels(context.now))),
  'managed-identity': managedIdentityRoutes,
  /** Responds to every request with success, so that tests can find what a client would send to a host outside of its cloud. */
  foreign: ({ foreignRequests }) =>
    all(({ method, path, body }) => {
      foreignRequests.push({ method, path, body: body.toString() })
      return json(200, { token_type: 'Bearer', expires_in: 3600, access_token: 'issued-by-a-foreign-host' })
    }),
}

/** Microsoft Graph with the organization, the user and the application of the enclave. Refuses any other request by name. */
function createGraph({ application, clientId, directoryId, domain, user }: Directory): Handler {
  const refuse = (...text: ErrorText): EnclaveResponse => refusal('graph', ...text)
  const { objectId, displayName, username } = user(clientId)
  const operator = { id: objectId, displayName, userPrincipalName: username, mail: username }
  const principal = { id: application.objectId, appId: clientId, displayName: 'Enclave application' }
  const organization = { id: directoryId, displayName: 'Enclave', verifiedDomains: [{ name: domain, isDefault: true }] }
  const collections = new Map<string, readonly { readonly id: string }[]>([
    ['organization', [organization]],
    ['users', [operator]],
    ['groups', []],
    ['applications', [principal]],
    ['serviceprincipals', [principal]],
  ])
  return ({ method, path, claims }) => {
    // The real API ignores an empty segment.
    const [version = '', kind = '', id = ''] = path
      .toLowerCase()
      .split('/')
      .filter((segment) => segment !== '')
    const found = collections.get(kind)
    const isKnown = method === 'GET' && /^(?:v1\.0|beta)$/.test(version) && (kind === 'me' || found !== undefined)
    if (!isKnown)
      return refuse(501, 'NotImplemented', `The directory API of the enclave does not support ${method} ${path}.`)
    if (found === undefined) {
      return claims['idtyp'] === 'app'
        ? refuse(400, 'BadRequest', '/me request is only valid with delegated authentication flow.')
        : json(200, operator)
    }
    if (id === '') return json(200, { value: found })
    const one = found.find((each) => each.id === id)
    return one ? json(200, one) : refuse(404, 'Request_ResourceNotFound', `Resource '${id}' does not exist.`)
  }
}

/** The sign-in of a container registry, without images: https://github.com/Azure/acr/blob/main/docs/AAD-OAuth.md */
function registryRoutes({ directory, issuer, cloud }: Context): readonly Route[] {
  const { audience } = cloud.services?.['containerRegistry'] ?? {}
  const accepted = [...directory.accepted['resource-manager'], ...(audience === undefined ? [] : [audience])]
  const hostOf = ({ headers }: EnclaveRequest): string => headers.host ?? 'localhost'
  const refuse = (status: number, code: string, message: string): EnclaveResponse =>
    json(status, { errors: [{ code, message }] })
  const unauthorized = (message = 'authentication required') => refuse(401, 'UNAUTHORIZED', message)

  /** Exchanges the token in a form field for a token of the registry. */
  const exchange =
    (field: string, use: 'refresh' | 'access', audiencesAt: (host: string) => readonly string[]): Handler =>
    async (request) => {
      const [host, form] = [hostOf(request), formOf(request)]
      if (use === 'refresh' && form.get('grant_type') !== field)
        return refuse(400, 'UNSUPPORTED', `grant_type must be ${field}`)
      const { claims } = await issuer.check(`Bearer ${form.get(field)}`, audiencesAt(host))
      if (claims === undefined) return unauthorized()
      const token = await issuer.issue({ aud: `${host}/${use}`, sub: String(claims.sub) })
      return json(200, { [`${use}_token`]: token })
    }
  const content = async (request: EnclaveRequest): Promise<EnclaveResponse> => {
    const host = hostOf(request)
    const isCatalog = /^\/(?:v2|acr\/v1)\/_catalog$/.test(request.path)
    const { claims } = await issuer.check(request.headers.authorization, [`${host}/access`])
    if (claims === undefined) {
      const [, repository] = /^\/(?:v2|acr\/v1)\/(.+?)\/(?:manifests|blobs|tags|_\w+)(?:\/|$)/.exec(request.path) ?? []
      const scope = isCatalog ? 'registry:catalog:*' : repository && `repository:${repository}:pull`
      const challenge = `Bearer realm="https://${host}/oauth2/token",service="${host}"${scope ? `,scope="${scope}"` : ''}`
      const refused = unauthorized('authentication required, visit https://aka.ms/acr/authorization')
      return withHeaders(refused, { 'www-authenticate': challenge })
    }
    if (request.path === '/v2/') return json(200, {})
    if (isCatalog) return json(200, { repositories: [] })
    return refuse(404, 'NAME_UNKNOWN', 'The registry of the enclave has no repositories.')
  }
  const ofRegistry = (host: string) => [`${host}/refresh`]
  return [
    { method: 'POST', path: '/oauth2/exchange', handle: exchange('access_token', 'refresh', () => accepted) },
    { method: 'POST', path: '/oauth2/token', handle: exchange('refresh_token', 'access', ofRegistry) },
    { method: '*', path: '*', handle: content },
  ]
}
