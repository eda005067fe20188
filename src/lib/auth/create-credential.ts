import { createHash } from 'node:crypto'
import { type LogEvent, signInEvent, tokenEvent } from '../base/app.ts'
import { type Env, readVariable } from '../base/env.ts'
import type { Env as PublicEnv } from '../base/variables.ts'
import { Secret } from '../base/secret.ts'
import { loadOnce } from '../base/waiting.ts'
import { checkArgument, checkOptions, type OptionRules, rule, rules } from '../profile/check-arguments.ts'
import type { CloudProfile } from '../clouds/cloud-profile.ts'
import { argumentError, isServiceError, nameOfError } from '../errors.ts'
import { publicError, withFixes } from '../fixes.ts'
import type { ResolvedCloud } from '../profile/identity-provider.ts'
import { refuseForeignVariables } from '../settings/foreign-variables.ts'
import type { AuthMode } from '../settings/setting-table.ts'
import { readCredentialSettings } from '../settings/settings.ts'
import type { SignInPrompt } from '../transport/attempt.ts'
import {
  type CredentialPlan as WholePlan,
  type CredentialSettings,
  isCredentialSettings,
  planCredential,
  readOptions,
  readPlanValues,
  refuseSettingsWithoutMode,
} from './credential-plan.ts'
import type { ApplicationSettings } from './modes/application.ts'
import type { CredentialMode, ModeValues, PlanSummary } from './modes/mode.ts'
import type { TokenCredential } from './token-credential.ts'

/** The input of a credential. Pure data; secrets print as `[redacted]`. */
export interface CredentialPlan extends PlanSummary {
  readonly mode: CredentialMode
}

/** Environment variables, as distinct from {@link CredentialSettings}. */
export type EnvironmentVariables = PublicEnv & { readonly mode?: never; readonly authMode?: never }

export interface CredentialOptions {
  /**
   * Milliseconds of one token attempt. With deviceCode: until a person is told to sign in, who then has until the code expires. Default is
   * PLATFORM_TOKEN_TIMEOUT_MS of the environment of the plan, then 10000.
   */
  readonly timeoutMs?: number | undefined
  /** Shows a person where to sign in (deviceCode). Default is a line on stderr. If it throws or rejects, the attempt fails (`ARGUMENT_INVALID`). */
  readonly onDeviceCode?: ((prompt: SignInPrompt) => void | Promise<void>) | undefined
  /**
   * Receives the events of the service's log. With PLATFORM_LOG_LEVEL=verbose it also receives the lines of the credential library, which name
   * the URLs that it contacts. No event contains a secret or a user code. Default is no log. If it throws or rejects, the process emits a warning.
   */
  readonly log?: ((event: LogEvent) => unknown) | undefined
}

export const credentialRules: OptionRules<CredentialOptions> = {
  timeoutMs: rules.milliseconds,
  onDeviceCode: rules.callback,
  log: rules.callback,
}

/**
 * The mode of an environment: AUTH_MODE, or else by a federated token, an identity endpoint or the command-line tool of a developer.
 *
 * @param env Environment variables. Default is the process environment.
 * @throws {ServiceError} `SETTING_INVALID` that names each invalid variable of a credential.
 */
export function resolveAuthMode(env: PublicEnv = process.env): AuthMode {
  return withFixes(() => {
    checkArgument('env', env, rules.variables)
    return readCredentialSettings(env).authMode
  })
}

/** The plan with every value, for this project. @internal */
export function createCredentialPlan(profile: CloudProfile, from?: EnvironmentVariables | CredentialSettings): WholePlan
/**
 * Decides which credential is used, and from which values. Makes no request and reads no file.
 *
 * @param from Environment variables, or the settings of one mode. Proxies and identity endpoints always come from the environment. Default
 *   is the process environment.
 * @throws {ServiceError} `CREDENTIAL_SETTING_MISSING` that names every missing variable of the mode, `SETTING_INVALID`, or
 *   `ARGUMENT_INVALID` that names each invalid key of the settings.
 */
export function createCredentialPlan(
  profile: CloudProfile,
  from?: EnvironmentVariables | CredentialSettings,
): CredentialPlan
export function createCredentialPlan(
  profile: CloudProfile,
  from: EnvironmentVariables | CredentialSettings = process.env,
): CredentialPlan {
  return withFixes(() => {
    checkArgument('profile', profile, rules.profile)
    checkArgument('from', from, isCredentialSettings(from) ? rules.plain : rules.object)
    refuseSettingsWithoutMode('from', from)
    if (!isCredentialSettings(from)) checkArgument('from', from, rules.variables)
    const values = readPlanValues(from, process.env)
    return withFixes(() => planCredential({ profile }, values), values)
  })
}

/**
 * Builds the credential of a plan, and loads the credential library. `getToken` of the result ends by its deadline, contacts only the hosts
 * of the plan, and fails with a {@link ServiceError} that says why.
 *
 * @throws {ServiceError} `ARGUMENT_INVALID` for an invalid `timeoutMs`, `SETTING_INVALID` if the process environment has a variable that
 *   would send the credential library to another host (MSAL_FORCE_REGION, AZURE_REGIONAL_AUTHORITY_NAME) or undo its protection.
 */
export async function createCredential(
  plan: CredentialPlan,
  options: CredentialOptions = {},
): Promise<TokenCredential> {
  return withFixes(async () => {
    // A plan that was copied as JSON has no secrets.
    const isPlan = (given: unknown) => typeof (given as Partial<WholePlan> | null)?.proxies?.reveal === 'function'
    checkArgument('plan', plan, rule('the result of createCredentialPlan', isPlan))
    return buildCredential(plan as WholePlan, checkOptions<CredentialOptions>(options, credentialRules))
  })
}

/** Like {@link createCredential}, for checked arguments. */
export async function buildCredential(
  plan: WholePlan,
  { timeoutMs = plan.timeoutMs, onDeviceCode = writeDeviceCode, log }: CredentialOptions,
  env: Env = process.env,
): Promise<TokenCredential> {
  // The library reads these variables of the process, even if the plan comes from another environment.
  refuseForeignVariables(process.env)
  const record = tolerant(log)
  const isVerbose = log !== undefined && readVariable(env, 'PLATFORM_LOG_LEVEL')?.trim() === 'verbose'
  const { openCredential } = await import('./credential.ts')
  const credential = openCredential(plan, {
    timeoutMs,
    processEnv: process.env,
    onPrompt(prompt) {
      record(signInEvent(plan.profile, prompt.verificationUri))
      return onDeviceCode(prompt)
    },
    onEnd: (ended) => record(tokenEvent(plan.profile, ended)),
    libraryLog: isVerbose
      ? (message) => record({ level: 'verbose', event: 'library', profile: plan.profile, message })
      : undefined,
  })
  return {
    async getToken(scopes, given) {
      try {
        return await credential.getToken(scopes, given)
      } catch (error) {
        // Several callers can wait for one attempt: each gets a new error, with its own stack.
        throw publicError(isServiceError(error) ? error.again() : error, plan)
      }
    },
  }
}

/** A log that throws or rejects must not change the result of an attempt. */
function tolerant(log: CredentialOptions['log']): (event: LogEvent) => void {
  return (event) =>
    void (async () => log?.(event))().catch((error: unknown) => {
      process.emitWarning(`The log of a credential failed: ${nameOfError(error)}`)
    })
}

/** SDKs write the same line. */
function writeDeviceCode({ userCode, verificationUri }: SignInPrompt): void {
  process.stderr.write(`To sign in, open ${verificationUri} and enter the code ${userCode}\n`)
}

/** For how many combinations of a user's token and settings a credential is cached. */
const mostCredentials = 500

interface UserCredentialOptions extends CredentialOptions {
  readonly cloud: ResolvedCloud
  /** How the application proves its identity. Default is the environment. */
  readonly settings: CredentialSettings | undefined
  readonly env: Env
}

/** The credentials for the users of an application (OAuth 2.0 on-behalf-of), by the token of the user and the settings of the call. */
export function userCredentials({ cloud, settings: defaults, env, ...options }: UserCredentialOptions) {
  const cached = new Map<string, TokenCredential>()
  /** A callback can't be part of a key, so each gets a number. */
  const callbacks = new WeakMap<object, number>()
  let callbackCount = 0
  const partOf = (_name: string, value: unknown): unknown => {
    if (typeof value !== 'function') return value
    if (!callbacks.has(value)) callbacks.set(value, ++callbackCount)
    return callbacks.get(value)
  }
  /** A hash, so that the cache contains no token and no secret. */
  const keyOf = (userAssertion: string, settings: ApplicationSettings | undefined): string => {
    const given = Object.entries(settings ?? {}).sort(([one], [other]) => (one < other ? -1 : 1))
    const parts = JSON.stringify([userAssertion, given], partOf)
    return createHash('sha256').update(parts).digest('base64')
  }
  const open = (userAssertion: string, given: ModeValues | undefined): TokenCredential => {
    const values = given ?? readPlanValues(defaults ?? env, env)
    const user = { authMode: 'onBehalfOf', userAssertion: new Secret(userAssertion) } as const
    const plan = withFixes(() => planCredential(cloud, { ...values, ...user }), values)
    const credential = loadOnce(() => buildCredential(plan, options, env))
    return { getToken: async (scopes, request) => (await credential()).getToken(scopes, request) }
  }

  return (userAssertion: string, settings?: ApplicationSettings): TokenCredential =>
    withFixes(() => {
      if (typeof userAssertion !== 'string' || !/^[\w-]+(\.[\w-]*){2,4}$/.test(userAssertion)) {
        // The message doesn't show the value, which may be a token.
        const message = 'userAssertion must be the access token of a user (a JWT)'
        const fix = 'Pass the token in the Authorization header of the request, without Bearer.'
        throw argumentError({ message, fix })
      }
      const values = settings === undefined ? undefined : readOptions(settings, env)
      const key = keyOf(userAssertion, settings)
      const credential = cached.get(key) ?? open(userAssertion, values)
      // A Map keeps the order of insertion, so its first key is the least recently used.
      cached.delete(key)
      cached.set(key, credential)
      const [oldest] = cached.keys()
      if (cached.size > mostCredentials && oldest !== undefined) cached.delete(oldest)
      return credential
    })
}
