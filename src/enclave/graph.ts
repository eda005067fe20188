import { checkBearer, type TokenIssuer } from './login/token-issuer.ts'
import type { Directory } from './directory.ts'
import { type Answer, type EnclaveRequest, json, type Route } from './http/route.ts'

export interface GraphOptions {
  readonly directory: Directory
  readonly issuer: TokenIssuer
  /** Identifiers of the directory API. */
  readonly audiences: readonly string[]
}

/** A directory API with what a client asks to learn who it is: the organization, its user, its application. Everything else is refused by name. */
export function graphRoutes({ directory, issuer, audiences }: GraphOptions): readonly Route[] {
  const { application, directoryId, domain } = directory
  const user = directory.user(directory.clientId)
  const operator = {
    id: user.objectId,
    ...(user.kind === 'user' && {
      displayName: user.displayName,
      userPrincipalName: user.username,
      mail: user.username,
    }),
  }
  const principal = { id: application.objectId, appId: application.clientId, displayName: 'Enclave application' }
  const organization = { id: directoryId, displayName: 'Enclave', verifiedDomains: [{ name: domain, isDefault: true }] }
  const collections: Readonly<Record<string, readonly { readonly id: string }[]>> = {
    organization: [organization],
    users: [operator],
    groups: [],
    applications: [principal],
    serviceprincipals: [principal],
  }
  const answer = async (request: EnclaveRequest): Promise<Answer> => {
    const verdict = await checkBearer(request, issuer, audiences)
    if (!verdict.accepted)
      return graphError(401, 'InvalidAuthenticationToken', `The access token is refused: ${verdict.reason}.`)
    const [version, kind = '', id] = request.path
      .split('/')
      .slice(1)
      .map((part) => part.toLowerCase())
    if (request.method !== 'GET' || (version !== 'v1.0' && version !== 'beta')) return unsupported(request)
    if (kind === 'me') {
      if (verdict.claims['idtyp'] === 'app')
        return graphError(400, 'BadRequest', '/me request is only valid with delegated authentication flow.')
      return json(200, operator)
    }
    const found = Object.hasOwn(collections, kind) ? collections[kind] : undefined
    if (found === undefined) return unsupported(request)
    if (id === undefined || id === '') return json(200, { value: found })
    const one = found.find((each) => each.id === id)
    return one === undefined
      ? graphError(404, 'Request_ResourceNotFound', `Resource '${id}' does not exist.`)
      : json(200, one)
  }
  return [{ method: '*', path: '*', handle: answer }]
}

function unsupported({ method, path }: EnclaveRequest): Answer {
  return graphError(501, 'NotImplemented', `The directory API of the enclave does not support ${method} ${path}.`)
}

function graphError(status: number, code: string, message: string): Answer {
  return json(status, { error: { code, message } })
}
