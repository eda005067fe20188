import type { Directory } from './directory.ts'
import { type Answer, type ErrorText, json, refusal } from './http/answer.ts'
import type { ProtectedHandler } from './protect.ts'

/** A directory API with what a client asks to learn who it is: the organization, its user, its application. Everything else is refused by name. */
export function graph({ application, clientId, directoryId, domain, user }: Directory): ProtectedHandler {
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

const refuse = (...text: ErrorText): Answer => refusal('graph', ...text)
