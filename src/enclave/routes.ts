import type { Context } from './context.ts'
import type { Directory } from './directory.ts'
import { type Answer, type ErrorText, type Role, json, refusal, type Handler, type Route } from './http/exchange.ts'
import { loginRoutes } from './login/login-authority.ts'
import { managedIdentityRoutes } from './managed-identity.ts'
import { type ProtectedHandler, protect } from './protect.ts'
import { registryRoutes } from './registry.ts'
import { resourceManagerRoutes } from './resource-manager.ts'
import { createStorageAccount } from './storage/storage-account.ts'
import { createVault } from './vault.ts'

/** One handler for every request of a role. */
const all = (handle: Handler): readonly Route[] => [{ method: '*', path: '*', handle }]

/** The addresses of every role. */
export const routesOf: Readonly<Record<Role, (context: Context) => readonly Route[]>> = {
  login: loginRoutes,
  'resource-manager': resourceManagerRoutes,
  vault: (context) => all(protect('vault', context, createVault(context))),
  storage: (context) => all(protect('storage', context, createStorageAccount(context))),
  graph: (context) => all(protect('graph', context, createGraph(context.directory))),
  registry: registryRoutes,
  'managed-identity': managedIdentityRoutes,
  /** A host that the profile does not name. It answers every request with success. */
  foreign: ({ received }) =>
    all(({ method, path, body }) => {
      received.push({ method, path, body: body.toString() })
      return json(200, { token_type: 'Bearer', expires_in: 3600, access_token: 'issued-by-a-foreign-host' })
    }),
}

/** A directory API with what a client asks to learn who it is: the organization, its user, its application. Everything else is refused by name. */
function createGraph({ application, clientId, directoryId, domain, user }: Directory): ProtectedHandler {
  const refuse = (...text: ErrorText): Answer => refusal('graph', ...text)
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
  return ({ method, path }, { claims }) => {
    const [, version = '', kind = '', id = ''] = path.toLowerCase().split('/')
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
