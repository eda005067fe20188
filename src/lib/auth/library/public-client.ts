import { endsWithTenant, type CredentialBackend, type ModeTools, type SignIn } from '../modes/mode.ts'
import { msalSystem, tokenOf } from './msal-network.ts'

/**
 * Requests tokens for a person from msal-node. Fault: `DeviceCodeCredential` returns a cached token where a new one is needed, tells a person
 * to sign in for each scope of requests at the same time, and again after any failure of a renewal.
 */
export function deviceCodeBackend(
  { clientId, authority: { authorityHost, tenantId, disableInstanceDiscovery } }: SignIn,
  { library, session, prompt }: ModeTools,
): CredentialBackend {
  const authorityUrl = endsWithTenant(authorityHost, tenantId) ? authorityHost : `${authorityHost}${tenantId}`
  const knownAuthorities = tenantId === 'adfs' || disableInstanceDiscovery ? [authorityUrl] : []
  const application = (session.application ??= new library.PublicClientApplication({
    auth: { clientId, authority: authorityUrl, knownAuthorities },
    system: msalSystem(library),
  }))
  return {
    async getToken(scope, { abortSignal, claims, enableCae }) {
      const demanded = enableCae === true ? withCapability(claims) : claims
      const request = { scopes: [scope], ...(demanded === undefined ? {} : { claims: demanded }) }
      const { account } = session
      if (prompt === undefined) {
        if (account === undefined) return null
        return tokenOf(await application.acquireTokenSilent({ ...request, account, forceRefresh: true }))
      }
      const signIn = {
        ...request,
        // Every response has `expiresIn`, because the transport refuses a response without it.
        deviceCodeCallback: ({
          userCode,
          verificationUri,
          expiresIn,
        }: {
          userCode: string
          verificationUri: string
          expiresIn: number
        }) => prompt({ userCode, verificationUri, expiresOnTimestamp: Date.now() + expiresIn * 1000 }),
        cancel: false,
      }
      abortSignal.addEventListener('abort', () => (signIn.cancel = true), { once: true })
      const result = await application.acquireTokenByDeviceCode(signIn)
      if (result?.account) session.account = result.account
      return result && tokenOf(result)
    },
  }
}

/** Adds the capability of continuous access evaluation to claims, as msal-node does for all requests of an application. */
function withCapability(claims = '{}'): string {
  const { access_token: own, ...others } = JSON.parse(claims) as { readonly access_token?: object }
  return JSON.stringify({ ...others, access_token: { ...own, xms_cc: { values: ['cp1'] } } })
}
