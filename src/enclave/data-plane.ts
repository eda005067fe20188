import { checkBearer } from './bearer.ts'
import type { FaultBoard } from './faults/fault-board.ts'
import { type Answer, type EnclaveRequest, json } from './http/answer.ts'
import type { Route } from './http/route.ts'
import type { TokenIssuer } from './login/token-issuer.ts'

export interface DataPlaneOptions {
  readonly role: 'vault' | 'storage'
  readonly audience: string
  /** The login endpoint with the tenant. */
  readonly authorizationUri: string
  readonly issuer: TokenIssuer
  readonly faults: FaultBoard
  readonly foreignOrigin: string
}

interface DataPlane {
  readonly challenge: (authority: string, audience: string) => string
  readonly refuse: (status: number, message: string) => Answer
  readonly content: Answer
}

const xml = (status: number, body: string): Answer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="utf-8"?>${body}`,
})

/** The two services differ in everything but the idea: a challenge that names the authority and the resource. */
const planes: Readonly<Record<DataPlaneOptions['role'], DataPlane>> = {
  vault: {
    challenge: (authority, audience) =>
      `Bearer authorization="${authority}", resource="${audience.replace(/\/$/, '')}"`,
    refuse: (status, message) =>
      json(status, { error: { code: status === 401 ? 'Unauthorized' : 'Forbidden', message } }),
    content: json(200, { value: [], nextLink: null }),
  },
  storage: {
    challenge: (authority, audience) =>
      `Bearer authorization_uri=${authority}/oauth2/authorize resource_id=${audience.replace(/\/$/, '')}`,
    refuse: (status, message) => {
      const code = status === 401 ? 'NoAuthenticationInformation' : 'AuthorizationPermissionMismatch'
      return xml(status, `<Error><Code>${code}</Code><Message>${message}</Message></Error>`)
    },
    content: xml(200, '<EnumerationResults><Containers /><NextMarker /></EnumerationResults>'),
  },
}

/** A key vault or a storage account: empty, so that every address answers alike, and every one wants a token. */
export function dataPlaneRoutes(options: DataPlaneOptions): readonly Route[] {
  return [{ method: '*', path: '*', handle: (request) => answer(request, options) }]
}

async function answer(request: EnclaveRequest, options: DataPlaneOptions): Promise<Answer> {
  const { role, audience, issuer, faults } = options
  const plane = planes[role]
  const verdict = await checkBearer(request, issuer, [audience])
  if (!verdict.accepted || faults.find('rejects-token', role)) return unauthorized(options)
  return faults.find('forbidden', role) ? plane.refuse(403, 'The caller may not do this.') : plane.content
}

function unauthorized({ role, audience, authorizationUri, faults, foreignOrigin }: DataPlaneOptions): Answer {
  const plane = planes[role]
  const refused = plane.refuse(401, 'The request needs a bearer token for this resource.')
  if (faults.find('missing-challenge', role)) return refused
  const challenge = faults.find('foreign-challenge', role)
    ? plane.challenge(`${foreignOrigin}/common`, `${foreignOrigin}/`)
    : plane.challenge(authorizationUri, audience)
  return { ...refused, headers: { ...refused.headers, 'www-authenticate': challenge } }
}
