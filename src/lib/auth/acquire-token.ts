import { ownCopy } from '../base/json.ts'
import { argumentError, isServiceError, ServiceError, type ErrorCode } from '../errors.ts'
import { isGuid } from '../base/names.ts'
import { showValue } from '../base/printable.ts'
import { secretsOf } from '../base/secret.ts'
import { isPlaceholder } from '../profile/field-path.ts'
import type { Attempt, SignInPrompt } from '../transport/attempt.ts'
import type { SharedDocuments } from '../transport/exchange.ts'
import { createGuardedClient } from '../transport/guarded-client.ts'
import { maxTokenLifetime } from '../transport/login-responses.ts'
import { NetworkError } from '../transport/network-error.ts'
import type { ModeTools } from './modes/mode.ts'
import { type CredentialPlan, modeOf } from './credential-plan.ts'
import * as library from './library/credential-library.ts'
import type { AccessToken, GetTokenOptions } from './token-credential.ts'

export interface AcquireOptions extends Pick<ModeTools, 'session' | 'processEnv'> {
  /** Shares OpenID configurations with the probes that run at the same time. */
  readonly documents?: SharedDocuments | undefined
  /** Receives the lines of the credential library. Without it, the library logs nothing. */
  readonly libraryLog?: ((line: string) => void) | undefined
  /** Whether a person may be told to sign in (deviceCode). */
  readonly mayPrompt: boolean
  readonly request: RequestOptions
}

type RequestOptions = Omit<GetTokenOptions, 'abortSignal'>

/**
 * Acquires one token before the deadline of the attempt. The default chain tries one member after the other. Each attempt builds a new
 * credential. A credential of the library would refuse to try again for 60 s after a failure, keep its first secret, and return the old token to
 * a caller that needs a new one.
 */
export async function acquireToken(
  plan: CredentialPlan,
  scope: string,
  attempt: Attempt,
  options: AcquireOptions,
): Promise<AccessToken> {
  if (plan.mode === 'default') {
    const tried: string[] = []
    for (const member of plan.chain) {
      try {
        return await acquireToken(member, scope, attempt, options)
      } catch (error) {
        // After the deadline, the member that used up the time is the cause.
        const isOffline = error instanceof NetworkError && error.role === 'IDENTITY_ENDPOINT'
        const isNext = isServiceError(error) && (unavailable.has(error.code) || isOffline)
        if (attempt.signal.aborted || !isNext) throw error
        tried.push(`${member.mode}: ${error.code}`)
      }
    }
    throw new ServiceError('CHAIN_EXHAUSTED', `No credential of the default chain is available (${tried.join(', ')})`)
  }
  // No host under `.invalid` exists, so an attempt fails without a request.
  const isUnknownHost = 'authority' in plan && isPlaceholder(plan.authority.authorityHost)
  if (isUnknownHost || isPlaceholder(scope)) throw placeholderError(plan.placeholders)
  const { documents, processEnv, libraryLog: log, session, mayPrompt } = options
  const request = { ...requestOf(plan, options.request), abortSignal: attempt.signal }
  // The failure of an earlier member of the default chain doesn't explain the failure of this member.
  attempt.failure = undefined
  const guard = { egress: plan.egress, proxies: plan.proxies.reveal(), env: processEnv }
  const httpClient = createGuardedClient({ ...guard, attempt, documents })
  const prompt = mayPrompt ? (shown: SignInPrompt) => attempt.prompt(shown) : undefined
  const tools: ModeTools = { library, session, prompt, processEnv }
  const mode = modeOf(plan.mode)
  try {
    return await library.runAttempt({ httpClient, log, secrets: () => secretsOf(plan) }, async () => {
      const backend = await mode.build(plan, tools)
      return requireUsable(await backend.getToken(scope, request))
    })
  } catch (error) {
    const message = 'The credential library could not use the response of the login authority'
    const failure = attempt.failureOf(error, mode.failure ?? { code: 'TOKEN_RESPONSE_INVALID', message })
    throw (await mode.explain?.(failure, plan)) ?? failure
  }
}

/**
 * The options of the credential library, without the tenant of the credential. An SDK takes the tenant of a call from a challenge, so its
 * letter case may differ, and it may be a GUID where the credential has a domain name. A developer's tool may have several tenants.
 *
 * @throws {ServiceError} `ARGUMENT_INVALID` for another tenant: the sender of a challenge must not choose where the secret is sent.
 */
export function requestOf(plan: CredentialPlan, options: RequestOptions): RequestOptions {
  if (!('authority' in plan)) return options
  const { tenantId: own } = plan.authority
  const { tenantId: requested = '', ...others } = ownCopy(options)
  if (requested === '' || own === 'adfs') return others
  const isText = typeof requested === 'string'
  if (isText && (requested.toLowerCase() === own.toLowerCase() || (isGuid(requested) && !isGuid(own)))) return others
  const message = `tenantId is ${showValue(requested)}, but this credential signs in only to the tenant ${showValue(own)}`
  throw argumentError({ message, fix: 'Create another credential for the other tenant.' })
}

/** Names the fields to replace. If no host is a placeholder, the metadata of the cloud may have the audience. */
export function placeholderError(placeholders: readonly string[]): ServiceError {
  const isHost = (field: string) => ['authorityHost', 'resourceManagerEndpoint', 'metadataEndpoint'].includes(field)
  const discover = ', or set PLATFORM_DISCOVER_AUDIENCE=true to take the audience from the metadata of the cloud'
  const hint = placeholders.some(isHost) ? '' : discover
  const message = `This profile contains placeholders; replace ${placeholders.join(', ')}${hint}`
  return new ServiceError('PLACEHOLDER_PROFILE', message)
}

/** After these codes, the default chain tries its next member. */
const unavailable: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'CREDENTIAL_SETTING_MISSING',
  'CREDENTIAL_FILE_UNREADABLE',
  'CREDENTIAL_KEY_UNUSABLE',
  'MANAGED_IDENTITY_UNAVAILABLE',
  'MANAGED_IDENTITY_ENDPOINT_FIXED',
  'CLI_NOT_INSTALLED',
  'CLI_NOT_LOGGED_IN',
])

/** @returns A token with a valid expiry. @throws {ServiceError} `TOKEN_RESPONSE_INVALID`. */
export function requireUsable(found: AccessToken | null): AccessToken {
  const invalid = (what: string) => new ServiceError('TOKEN_RESPONSE_INVALID', `The credential ${what}`)
  if (found === null || found.token === '') throw invalid('returned no token')
  const { token, expiresOnTimestamp, refreshAfterTimestamp } = found
  if (!(expiresOnTimestamp >= 0 && expiresOnTimestamp <= Date.now() + maxTokenLifetime * 1000)) {
    throw invalid('returned a token with an invalid expiry')
  }
  const refresh = refreshAfterTimestamp === undefined ? {} : { refreshAfterTimestamp }
  return { token, expiresOnTimestamp, ...refresh, tokenType: 'Bearer' }
}
