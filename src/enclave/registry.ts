import type { Context } from './context.ts'
import { type Answer, json, type EnclaveRequest, type Route, formOf } from './http/exchange.ts'

/**
 * A container registry as far as clients sign in to it: a token of the cloud is exchanged for a refresh token of the registry, and that for
 * access tokens. It has no images. https://github.com/Azure/acr/blob/main/docs/AAD-OAuth.md
 */
export function registryRoutes({ directory, issuer, cloud }: Context): readonly Route[] {
  const { audience } = cloud.services?.['containerRegistry'] ?? {}
  const accepted = [...directory.accepted['resource-manager'], ...(audience === undefined ? [] : [audience])]
  const hostOf = ({ headers }: EnclaveRequest): string => headers.host ?? 'localhost'

  /** A token of the registry at this host, for one use of it. */
  const issue = async (request: EnclaveRequest, sub: unknown, use: 'refresh' | 'access'): Promise<Answer> => {
    const token = await issuer.issue({ aud: `${hostOf(request)}/${use}`, sub: String(sub) })
    return json(200, { [`${use}_token`]: token })
  }
  const exchange = async (request: EnclaveRequest): Promise<Answer> => {
    const form = formOf(request)
    if (form.get('grant_type') !== 'access_token') return refuse(400, 'UNSUPPORTED', 'grant_type must be access_token')
    const { claims } = await issuer.check(`Bearer ${form.get('access_token')}`, accepted)
    return claims === undefined
      ? refuse(401, 'UNAUTHORIZED', 'authentication required')
      : issue(request, claims.sub, 'refresh')
  }
  const token = async (request: EnclaveRequest): Promise<Answer> => {
    const given = `Bearer ${formOf(request).get('refresh_token')}`
    const { claims } = await issuer.check(given, [`${hostOf(request)}/refresh`])
    return claims === undefined
      ? refuse(401, 'UNAUTHORIZED', 'authentication required')
      : issue(request, claims.sub, 'access')
  }
  const content = async (request: EnclaveRequest): Promise<Answer> => {
    const host = hostOf(request)
    const isCatalog = /^\/(?:v2|acr\/v1)\/_catalog$/.test(request.path)
    const { claims } = await issuer.check(request.headers.authorization, [`${host}/access`])
    if (claims === undefined) {
      const refused = refuse(401, 'UNAUTHORIZED', 'authentication required, visit https://aka.ms/acr/authorization')
      const [, repository] = /^\/(?:v2|acr\/v1)\/(.+?)\/(?:manifests|blobs|tags|_\w+)(?:\/|$)/.exec(request.path) ?? []
      const scope = isCatalog ? 'registry:catalog:*' : repository && `repository:${repository}:pull`
      const challenge = `Bearer realm="https://${host}/oauth2/token",service="${host}"${scope ? `,scope="${scope}"` : ''}`
      return { ...refused, headers: { ...refused.headers, 'www-authenticate': challenge } }
    }
    if (request.path === '/v2/') return json(200, {})
    if (isCatalog) return json(200, { repositories: [] })
    return refuse(404, 'NAME_UNKNOWN', 'The registry of the enclave has no repositories.')
  }
  return [
    { method: 'POST', path: '/oauth2/exchange', handle: exchange },
    { method: 'POST', path: '/oauth2/token', handle: token },
    { method: '*', path: '*', handle: content },
  ]
}

function refuse(status: number, code: string, message: string): Answer {
  return json(status, { errors: [{ code, message }] })
}
