import type { AccountInfo, PublicClientApplication } from '@azure/msal-node'
import { type ErrorCode, ServiceError } from '../../errors.ts'
import { showValue } from '../../base/printable.ts'
import type { Env } from '../../base/env.ts'
import type { CloudProfile } from '../../clouds/cloud-profile.ts'
import type { EgressPolicy } from '../../transport/egress.ts'
import type * as library from '../library/credential-library.ts'
import type { Failure, SignInPrompt } from '../../transport/attempt.ts'
import type { CredentialValues } from '../../settings/credential-values.ts'
import type { AccessToken, GetTokenOptions } from '../token-credential.ts'
import type { Secret } from '../../base/secret.ts'
import { type AuthMode, credentialTable } from '../../settings/setting-table.ts'
import type { SecretSource, SettingFile } from '../credential-file.ts'
import { tenantPattern } from '../../base/names.ts'
import type { ResolvedCloud } from '../../profile/identity-provider.ts'

/** The part of a plan that applications see. */
export interface PlanSummary {
  /** The kind of credential. */
  readonly credential: string
  /** Name of the cloud profile. */
  readonly profile: string
  /** Milliseconds of one token attempt. */
  readonly timeoutMs: number
  /** Fields of the profile that still contain a placeholder. */
  readonly placeholders: readonly string[]
}

/** The part that all plans share. */
export interface BasePlan extends PlanSummary {
  readonly cloud: CloudProfile
  /** Whether the settings are options in code, so that errors name options. */
  readonly areOptions?: boolean | undefined
  /** Hosts that the credential may contact. */
  readonly egress: EgressPolicy
  /** The variables that name proxies; their values may contain passwords. */
  readonly proxies: Secret<Env>
}

/** `onBehalfOf` is a method of a cloud, and no settings select it. No variable selects `clientAssertion`. */
export type CredentialMode = AuthMode | 'clientAssertion' | 'onBehalfOf'

/** The input of a plan: the settings, and two values that only an application can pass. */
export interface ModeValues extends Omit<CredentialValues, 'authMode'> {
  readonly authMode: CredentialMode
  /** The access token of a user. */
  readonly userAssertion?: Secret
  /** Returns a client assertion. */
  readonly getAssertion?: () => Promise<string>
  /** Whether the values are settings in code: at the end, `publicError` names options in place of variables. */
  readonly areOptions?: boolean
}

/** A setting of a credential, by its name in code. */
export type SettingKey = Exclude<keyof typeof credentialTable, 'authMode' | 'tokenTimeoutMs'>
type SecretKey = Extract<SettingKey, 'clientSecret' | 'password' | 'clientCertificatePassword'>

/** The file that a setting names. */
export function fileOf(settings: ModeValues, key: SettingKey): SettingFile | undefined {
  const path = settings[key]
  if (typeof path !== 'string') return undefined
  return { path, setting: credentialTable[key].name, isOption: settings.areOptions === true }
}

/** A secret, or its file. Settings refuse both at once. */
export function secretOf(settings: ModeValues, key: SecretKey): SecretSource | undefined {
  const file = fileOf(settings, `${key}Path`)
  return file === undefined ? settings[key] : { file }
}

/** Requests a token from the credential library or the command-line tool, within the deadline of an attempt. */
export interface CredentialBackend {
  getToken(scope: string, options: GetTokenOptions & { readonly abortSignal: AbortSignal }): Promise<AccessToken | null>
}

/** The sign-in of a person. The refresh token for every scope and renewal is in the memory of `application`, and nowhere else. */
export interface Session {
  application?: PublicClientApplication
  account?: AccountInfo
}

/** The parts that a backend is built from. */
export interface ModeTools {
  /** Not loaded before a credential is built. */
  readonly library: typeof library
  /** Where a mode with a person keeps the sign-in, for later attempts. */
  readonly session: Session
  /** Tells a person to sign in. Without it, nobody is told. */
  readonly prompt?: ((prompt: SignInPrompt) => void) | undefined
  /** `process.env`; the plan may have been built from other variables. */
  readonly processEnv?: Env | undefined
}

/** The keys of the settings of a mode. A required secret may come from a file: `KEYPath`. */
export type KeysOf<Settings> = {
  readonly [K in Settings extends unknown ? Exclude<keyof Settings, 'mode'> : never]-?: 'optional' | 'required'
}

/** The plan of a mode: what all plans share, and its own part. */
export type PlanOf<Name, Own> = BasePlan & Own & { readonly mode: Name }

/** Everything that the service knows about one kind of credential. */
export interface Mode<Settings extends { readonly mode: string }, Own, Plan = PlanOf<Settings['mode'], Own>> {
  /** The name of the credential in the credential library. */
  readonly credential: string
  /** Where the mode is used, for people. */
  readonly use: string
  /** The settings of the mode except the tenant, for people. */
  readonly needs: string
  readonly keys: KeysOf<Settings>
  /** Whether the settings make the mode a member of the default chain. Absent if the mode is never a member. */
  readonly configured?: (settings: ModeValues) => boolean
  /** @throws {ServiceError} `CREDENTIAL_SETTING_MISSING` that names every missing variable. */
  readonly plan: (cloud: ResolvedCloud, settings: ModeValues) => Own & Partial<Pick<BasePlan, 'egress'>>
  readonly build: (plan: Plan, tools: ModeTools) => CredentialBackend | Promise<CredentialBackend>
  /** Makes an error more precise, from facts that only this mode has. */
  readonly explain?: (error: ServiceError, plan: Plan) => ServiceError | Promise<ServiceError>
  /** The error of an attempt that failed without a failed request. Default is an invalid response. */
  readonly failure?: Failure
}

/** The error of settings that are missing. @param other A further way, if one of them would do. Default is that all are needed. */
export function missingSettings(
  { authMode, areOptions = false }: ModeValues,
  missing: readonly SettingKey[],
  other?: string,
): ServiceError {
  const variables = missing.map((key) => credentialTable[key].name)
  const names = other === undefined ? variables.join(', ') : [...variables, other].join(' or ')
  const isMethod = authMode === 'onBehalfOf'
  const subject = isMethod ? authMode : areOptions ? `The mode ${authMode}` : `AUTH_MODE ${authMode}`
  const message = `${subject} needs ${names}, which ${variables.length === 1 || other !== undefined ? 'is' : 'are'} not set`
  const evidence = { missing: names, variable: variables.length === 1 ? names : undefined }
  const more = areOptions || isMethod ? { fix: `Set ${names}.` } : { evidence }
  return new ServiceError('CREDENTIAL_SETTING_MISSING', message, more)
}

/** An application, and the login authority that it signs in to. */
export interface SignIn {
  readonly authority: {
    /** An https URL, normalized, with a final slash unless the tenant is part of it. */
    readonly authorityHost: string
    readonly tenantId: string
    readonly disableInstanceDiscovery: boolean
  }
  readonly clientId: string
}

/** The authority and the client. Names all missing values, `others` included, at once, and refuses a tenant that could change the URL. */
export function planSignIn(
  { provider }: ResolvedCloud,
  settings: ModeValues,
  others: { readonly [K in SettingKey]?: unknown } = {},
): SignIn {
  const { tenantId = '', kind, authorityHost: host, disableInstanceDiscovery } = provider
  const required = { tenantId: provider.tenantId, clientId: settings.clientId, ...others }
  const missing = (Object.keys(required) as SettingKey[]).filter((key) => required[key] === undefined)
  if (missing.length > 0) throw missingSettings(settings, missing)
  if (!tenantPattern.test(tenantId)) {
    throw new ServiceError('SETTING_INVALID', `PLATFORM_TENANT_ID must be a tenant, but is ${showValue(tenantId)}`)
  }
  // The library drops a tenant that is a suffix of the host (`enclave.test` in `login.enclave.test`) unless the authority ends with it.
  const authorityHost = kind === 'multi-tenant' && endsWithTenant(host, tenantId) ? `${host}${tenantId}` : host
  return { authority: { authorityHost, tenantId, disableInstanceDiscovery }, clientId: settings.clientId ?? '' }
}

/** Whether the library thinks that the authority ends with the tenant. Its regular expression lets a dot match any character. */
export function endsWithTenant(authority: string, tenantId: string): boolean {
  const tail = authority.replace(/\/$/, '').slice(-tenantId.length)
  return tail.length === tenantId.length && tenantId.split('').every((sign, at) => sign === '.' || sign === tail[at])
}

/** AADSTS numbers about a secret. Their code stays, even if the request contained no secret. */
const secretErrors: ReadonlySet<string> = new Set(['AADSTS7000215', 'AADSTS7000222'])

/**
 * Corrects the code of a refused client in a mode without a secret: authorities without numbers refuse every client with `invalid_client`, and
 * AADSTS7000218 asks for a secret or an assertion.
 */
export function refusedClient(code: ErrorCode, error: ServiceError): ServiceError {
  if (error.code !== 'CLIENT_SECRET_INVALID' || secretErrors.has(error.evidence?.['errorNumber'] ?? '')) return error
  return error.again({ code })
}
