import { json } from './http/answer.ts'
import type { Route } from './http/route.ts'

/** A request to the foreign host, with its body: tests look for secrets in it. */
export interface ForeignRequest {
  readonly method: string
  readonly path: string
  readonly body: string
}

/** A host that the profile does not name. It answers every request with success. */
export function foreignHostRoutes(record: (request: ForeignRequest) => void): readonly Route[] {
  return [
    {
      method: '*',
      path: '*',
      handle: ({ method, path, body }) => {
        record({ method, path, body: body.toString() })
        return json(200, { token_type: 'Bearer', expires_in: 3600, access_token: 'issued-by-a-foreign-host' })
      },
    },
  ]
}
