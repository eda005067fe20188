import type { DeviceCodeRequest } from '@azure/msal-node'
import { readSecret, type SecretSource } from '../credential-file.ts'
import { type Application, applicationKeys, type SecretOf } from './application.ts'
import {
  type CredentialBackend,
  endsWithTenant,
  type Mode,
  type ModeTools,
  planSignIn,
  refusedClient,
  secretOf,
  type SignIn,
} from './mode.ts'

// The modes of a person, who signs in through an application without a secret.

export type UsernamePasswordSettings = Application & {
  readonly mode: 'usernamePassword'
  readonly username: string
} & SecretOf<'password'>

export type UserSignIn = SignIn & { readonly username: string; readonly password: SecretSource }

export const usernamePassword: Mode<UsernamePasswordSettings, UserSignIn> = {
  credential: 'UsernamePasswordCredential',
  use: 'discouraged',
  needs: 'client id, user and password',
  keys: { ...applicationKeys, username: 'required', password: 'required', passwordPath: 'optional' },
  configured: (settings) => settings.username !== undefined && secretOf(settings, 'password') !== undefined,
  plan(cloud, settings) {
    const person = { username: settings.username, password: secretOf(settings, 'password') }
    return { ...planSignIn(cloud, settings, person), ...person } as UserSignIn
  },
  async build({ authority: { tenantId, ...authority }, clientId, username, password }, { library }) {
    const options = { ...library.credentialOptions(), ...authority }
    return new library.UsernamePasswordCredential(tenantId, clientId, username, await readSecret(password), options)
  },
  explain: (error) => refusedClient('CLIENT_NOT_PUBLIC', error),
}

export interface DeviceCodeSettings extends Application {
  readonly mode: 'deviceCode'
}

export const deviceCode: Mode<DeviceCodeSettings, SignIn> = {
  credential: 'DeviceCodeCredential',
  use: 'hosts without a browser',
  needs: 'client id; a person approves elsewhere',
  keys: applicationKeys,
  plan: (cloud, settings) => planSignIn(cloud, settings),
  build: deviceCodeBackend,
  explain: (error) => refusedClient('CLIENT_NOT_PUBLIC', error),
  failure: { code: 'DEVICE_CODE_EXPIRED', message: 'The sign-in gave no token' },
}

/**
 * Requests tokens for a person from msal-node. Fault: `DeviceCodeCredential` returns a cached token where a new one is needed, tells a person
 * to sign in for each scope of requests at the same time, and again after any failure of a renewal.
 */
function deviceCodeBackend(
  { clientId, authority }: SignIn,
  { library, session, prompt }: ModeTools,
): CredentialBackend {
  const { authorityHost, tenantId, disableInstanceDiscovery } = authority
  const authorityUrl = endsWithTenant(authorityHost, tenantId) ? authorityHost : `${authorityHost}${tenantId}`
  const knownAuthorities = tenantId === 'adfs' || disableInstanceDiscovery ? [authorityUrl] : []
  const application = (session.application ??= new library.PublicClientApplication({
    auth: { clientId, authority: authorityUrl, knownAuthorities },
    system: library.msalSystem(),
  }))
  return {
    async getToken(scope, { abortSignal, claims, enableCae }) {
      const demanded = enableCae === true ? withCapability(claims) : claims
      const request = { scopes: [scope], ...(demanded === undefined ? {} : { claims: demanded }) }
      const { account } = session
      if (prompt === undefined) {
        if (account === undefined) return null
        return library.tokenOf(await application.acquireTokenSilent({ ...request, account, forceRefresh: true }))
      }
      const signIn: DeviceCodeRequest = {
        ...request,
        // Every response has `expiresIn`, because the transport refuses a response without it.
        deviceCodeCallback: ({ userCode, verificationUri, expiresIn }) =>
          prompt({ userCode, verificationUri, expiresOnTimestamp: Date.now() + expiresIn * 1000 }),
      }
      abortSignal.addEventListener('abort', () => (signIn.cancel = true), { once: true })
      const result = await application.acquireTokenByDeviceCode(signIn)
      if (result?.account) session.account = result.account
      return result && library.tokenOf(result)
    },
  }
}

/** Adds the capability of continuous access evaluation to claims, as msal-node does for all requests of an application. */
function withCapability(claims = '{}'): string {
  const { access_token: own, ...others } = JSON.parse(claims) as { readonly access_token?: object }
  return JSON.stringify({ ...others, access_token: { ...own, xms_cc: { values: ['cp1'] } } })
}
