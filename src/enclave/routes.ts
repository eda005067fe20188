import type { Context } from './context.ts'
import { graph } from './graph.ts'
import { type Role, json } from './http/answer.ts'
import type { Handler, Route } from './http/route.ts'
import { loginRoutes } from './login/login-authority.ts'
import { managedIdentityRoutes } from './managed-identity.ts'
import { protect } from './protect.ts'
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
  graph: (context) => all(protect('graph', context, graph(context.directory))),
  'managed-identity': managedIdentityRoutes,
  /** A host that the profile does not name. It answers every request with success. */
  foreign: ({ received }) =>
    all(({ method, path, body }) => {
      received.push({ method, path, body: body.toString() })
      return json(200, { token_type: 'Bearer', expires_in: 3600, access_token: 'issued-by-a-foreign-host' })
    }),
}
