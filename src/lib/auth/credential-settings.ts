import type { Env } from '../base/env.ts'
import type { Injected } from './injected-variables.ts'
import type { Secret } from './secret.ts'

type Text = string | undefined

/** The settings that credentials need. */
export interface CredentialSettings {
  /** A value of AUTH_MODE. */
  readonly authMode: string
  readonly tenantId: Text
  readonly clientId: Text
  readonly clientSecret: Secret | undefined
  readonly clientSecretPath: Text
  readonly federatedTokenFile: Text
  readonly clientCertificatePath: Text
  readonly clientCertificatePassword: Secret | undefined
  readonly clientCertificatePasswordPath: Text
  readonly username: Text
  readonly password: Secret | undefined
  readonly passwordPath: Text
  /** Milliseconds of one token attempt. */
  readonly tokenTimeoutMs: number
  /** Variables of secrets that may have the form of a reference. */
  readonly literalSecrets: readonly string[]
  /** Hosts (`host` or `host:port`) besides the authority that may receive token requests. */
  readonly allowedTokenHosts: readonly string[]
  /** Variables that a host or a cluster injects. */
  readonly injected: Injected
  /** The variables of a managed identity: a header is a secret. */
  readonly identityVariables: Secret<Env> | undefined
  /** The proxy variables. Their values may hold passwords. */
  readonly proxies: Secret<Env>
  /** The environment of the command-line tool. */
  readonly toolEnvironment: Secret<Readonly<Record<string, string>>>
}
