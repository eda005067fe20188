import { dataPlaneRoutes } from './data-plane.ts'
import type { NamedCloud } from './named-cloud.ts'
import { type Route, json } from './http/route.ts'
import { forTenant } from './login/addresses.ts'
import { type Cluster, createAssertionVerifier } from './login/client-assertion.ts'
import { createLoginHandlers, federationRoutes, tenantedRoutes } from './login/login-authority.ts'
import { type LoginContext, createRefreshTokens } from './login/token-endpoint.ts'
import { createTokenIssuer, signingKey } from './login/token-issuer.ts'
import { graphRoutes } from './graph.ts'
import { createVault } from './vault.ts'
import { managedIdentityRoutes } from './managed-identity.ts'
import { resourceManagerRoutes } from './resource-manager.ts'
import type { Servers } from './servers.ts'
import type { VersionSet } from './versions.ts'
import { createStorageAccount } from './storage/storage-account.ts'

/** The state that the roles share: one directory, one clock, one set of faults. */
export interface ServeOptions extends Omit<LoginContext, 'issuer' | 'key' | 'refreshTokens' | 'verifyAssertion'> {
  readonly assertionsOnce: boolean
  readonly certificatePem: string
  readonly secrets: Readonly<Record<string, string>>
  readonly cluster: Cluster
  readonly cloud: NamedCloud
  readonly recordForeign: (request: ForeignRequest) => void
  readonly storageEndpoint: string
  readonly tokenLifetimeSeconds: number
  readonly versions: VersionSet
}

/** Gives every server its routes. */
export async function serveRoles(servers: Servers, options: ServeOptions): Promise<void> {
  const { addresses, directory, faults, federationService, foreignOrigin, now, cloud } = options
  const key = await signingKey('access-token')
  const issuer = createTokenIssuer({ ...options, key, lifetimeSeconds: options.tokenLifetimeSeconds })
  const verifyAssertion = createAssertionVerifier({
    certificatePem: options.certificatePem,
    federation: options.cluster.trust,
    audiences: [
      ...[directory.tenantId, directory.domain, 'common', 'organizations'].map((tenant) =>
        forTenant(addresses.tokenEndpoint, tenant),
      ),
      forTenant(addresses.configurationIssuer, directory.tenantId),
    ],
    once: options.assertionsOnce,
    now,
  })
  const context: LoginContext = { ...options, issuer, key, verifyAssertion, refreshTokens: createRefreshTokens() }
  const handlers = createLoginHandlers(context)
  servers.login.serve(federationService ? federationRoutes(handlers, context) : tenantedRoutes(handlers, context))

  // The metadata of a federation service omits the final slash, and its challenge names no tenant.
  const loginEndpoint = federationService ? addresses.authorityHost.replace(/\/$/, '') : addresses.authorityHost
  const authorizationUri = federationService ? loginEndpoint : addresses.authorityHost + directory.tenantId
  const shared = { versions: options.versions, directory, issuer, faults, authorizationUri, foreignOrigin }
  servers['resource-manager'].serve(
    resourceManagerRoutes({
      ...shared,
      federationService,
      loginEndpoint,
      cloud,
      storageEndpoint: options.storageEndpoint,
    }),
  )
  servers.vault.serve(
    dataPlaneRoutes({
      ...shared,
      role: 'vault',
      audience: directory.audiences.keyVault,
      content: createVault(options.certificatePem, options.secrets, now),
    }),
  )
  servers.storage.serve(
    dataPlaneRoutes({
      ...shared,
      role: 'storage',
      content: createStorageAccount(now),
      audience: directory.audiences.storage,
      otherAudiences: directory.storageAudiences,
    }),
  )
  servers['managed-identity'].serve(managedIdentityRoutes({ directory, issuer }))
  const graphAudience = cloud.services?.['microsoftGraph']?.audience
  servers.graph.serve(graphRoutes({ directory, issuer, audiences: graphAudience === undefined ? [] : [graphAudience] }))
  servers.foreign.serve(foreignHostRoutes(options.recordForeign))
}

/** A request to the foreign host, with its body: tests look for secrets in it. */
export interface ForeignRequest {
  readonly method: string
  readonly path: string
  readonly body: string
}

/** A host that the profile does not name. It answers every request with success. */
function foreignHostRoutes(record: (request: ForeignRequest) => void): readonly Route[] {
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
