import type { AuthMode } from '../auth/modes.ts'
import { createCredentialPlan as planCredential, type CredentialPlan } from '../auth/credential-plan.ts'
import type { TokenCredential } from '../auth/token-credential.ts'
import type { Env } from '../base/env.ts'
import { showValue } from '../base/show-value.ts'
import { signInEvent, tokenEvent, type LogEvent } from '../diagnostics/log-event.ts'
import { ServiceError } from '../errors.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { refuseForeignVariables } from '../settings/foreign-variables.ts'
import { readCredentialSettings } from '../settings/settings.ts'
import type { SignInPrompt } from '../transport/attempt.ts'
import { isCredentialSettings, toEnvironment, type CredentialSettings } from './credential-settings.ts'

/** Environment variables, as distinct from {@link CredentialSettings}. */
export type EnvironmentVariables = Env & { readonly mode?: never; readonly authMode?: never }

export interface CredentialOptions {
  /**
   * Milliseconds of one token attempt. With deviceCode: until a person is asked, who then has until the code expires. Default is
   * PLATFORM_TOKEN_TIMEOUT_MS of the environment of the plan, then 10000.
   */
  readonly timeoutMs?: number
  /** Shows a person where to sign in (deviceCode). Default writes one line to stderr. */
  readonly onDeviceCode?: (prompt: SignInPrompt) => void
  /** Receives the events of the service's log. No event holds a secret or a user code. Default is no log. */
  readonly log?: (event: LogEvent) => void
}

/**
 * The mode of an environment: AUTH_MODE, else what the environment offers: a federated token, an identity endpoint, or the command-line
 * tool of a developer.
 *
 * @param env Environment variables. Default is the process environment.
 * @throws {ServiceError} `SETTING_INVALID` that names each invalid variable of a credential.
 */
export function resolveAuthMode(env: Env = process.env): AuthMode {
  return readCredentialSettings(env).authMode
}

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
  from: EnvironmentVariables | CredentialSettings = process.env,
): CredentialPlan {
  const env = isCredentialSettings(from) ? toEnvironment(from, process.env) : from
  return planCredential(profile, readCredentialSettings(env))
}

/**
 * Builds the credential of a plan, and loads the credential library. `getToken` of the result ends by its deadline, contacts only the hosts
 * of the plan, and fails with a {@link ServiceError} whose code says why.
 *
 * @throws {ServiceError} `ARGUMENT_INVALID` for an invalid `timeoutMs`, `SETTING_INVALID` if the process environment holds a variable that
 *   would send the credential library to another host (MSAL_FORCE_REGION, AZURE_REGIONAL_AUTHORITY_NAME) or undo its protection.
 */
export async function createCredential(
  plan: CredentialPlan,
  { timeoutMs = plan.timeoutMs, onDeviceCode = writeDeviceCode, log }: CredentialOptions = {},
): Promise<TokenCredential> {
  if (!(Number.isFinite(timeoutMs) && timeoutMs > 0)) {
    throw new ServiceError('ARGUMENT_INVALID', `timeoutMs must be a positive number, but is ${showValue(timeoutMs)}`)
  }
  // The library reads these variables of the process, even if the plan comes from another environment.
  refuseForeignVariables(process.env)
  const credential = await import('../auth/credential.ts')
  return credential.createCredential(plan, {
    timeoutMs,
    processEnv: process.env,
    onPrompt(prompt) {
      log?.(signInEvent(plan.profile, prompt.verificationUri))
      onDeviceCode(prompt)
    },
    onEnd: (ended) => log?.(tokenEvent(plan.profile, ended)),
  })
}

/** One line, as SDKs write it. */
function writeDeviceCode({ userCode, verificationUri }: SignInPrompt): void {
  process.stderr.write(`To sign in, open ${verificationUri} and enter the code ${userCode}\n`)
}
