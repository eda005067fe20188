import type { TokenCredentialOptions } from '@azure/identity'
import * as library from '@azure/identity'
import { isServiceError, ServiceError } from '../errors.ts'
import { isPlaceholder } from '../profile/placeholders.ts'
import {
  Attempt,
  type AbortSignalLike,
  type SignInPrompt,
  type TraceStep,
  currentAttempt,
} from '../transport/attempt.ts'
import { createGuardedClient } from '../transport/guarded-client.ts'
import { singleFlightCache } from '../base/single-flight-cache.ts'
import type { SharedDocuments } from '../transport/shared-documents.ts'
import type { CredentialPlan, DefaultPlan } from './credential-plan.ts'
import { toTokenError } from './token-error.ts'
import { modes, type SinglePlan } from './modes.ts'
import type { Mode, Source, Tools } from './modes/mode.ts'
import { requireUsable } from './require-usable.ts'
import type { AccessToken, GetTokenOptions, TokenCredential } from './token-credential.ts'

export interface CredentialOptions {
  /** Milliseconds before an attempt is abandoned; a device-code attempt, before a person is asked. Default is 10000. */
  readonly timeoutMs?: number
  /** Called when a person has to sign in (deviceCode). */
  readonly onPrompt?: (info: SignInPrompt) => void
  /** Shares OpenID configurations with the probes that run side by side. */
  readonly documents?: SharedDocuments
  /** Receives what each attempt did, failed or not. */
  readonly onTrace?: (steps: readonly TraceStep[]) => void
}

/** Gets tokens within attempts that somebody else makes. */
export interface TokenSupply {
  /** Must run in an attempt, by whose deadline it ends. */
  acquire(scope: string, attempt: Attempt, options?: Omit<GetTokenOptions, 'abortSignal'>): Promise<AccessToken>
}

/**
 * Builds the credential of a plan. Its `getToken` keeps what the library's own does not: it ends by its deadline or by
 * the caller's `abortSignal`, contacts only the hosts of the plan, makes one attempt for all who ask at the same time, and
 * fails with a {@link ServiceError} whose code says why.
 *
 * @throws {ServiceError} from `getToken`: `PLACEHOLDER_PROFILE`, `CREDENTIAL_FILE_UNREADABLE`, `EGRESS_BLOCKED`,
 * `TOKEN_TIMEOUT` or another code of the findings catalogue.
 */
export function createCredential(
  plan: CredentialPlan,
  { timeoutMs = 10_000, onPrompt, onTrace, documents }: CredentialOptions = {},
): TokenCredential {
  const supply = createTokenSupply(plan, documents)
  const inFlight = singleFlightCache<AccessToken>({ ttlMs: 0 })
  const start = async (scope: string, signal?: AbortSignalLike, options?: Omit<GetTokenOptions, 'abortSignal'>) => {
    const attempt = new Attempt({ timeoutMs, signal, onPrompt })
    try {
      return await attempt.run(() => supply.acquire(scope, attempt, options))
    } catch (error) {
      throw toTokenError(error, attempt)
    } finally {
      onTrace?.(attempt.steps)
    }
  }
  return {
    async getToken(scopes, { abortSignal, ...options } = {}) {
      const scope = typeof scopes === 'string' ? scopes : (scopes[0] ?? '')
      refusePlaceholders(plan, scope)
      // Who brings a signal, a tenant or claims gets an attempt of their own; all others share one.
      if (abortSignal ?? options.tenantId ?? options.claims) return start(scope, abortSignal, options)
      return inFlight.get(() => start(scope), scope)
    },
  }
}

/** What gets the tokens of a plan: one credential, or the chain of them. */
export function createTokenSupply(plan: CredentialPlan, documents?: SharedDocuments): TokenSupply {
  return plan.mode === 'default' ? createChain(plan, documents) : createSingleSupply(plan, documents)
}

function createSingleSupply(plan: SinglePlan, documents: SharedDocuments | undefined): TokenSupply {
  const httpClient = createGuardedClient({ egress: plan.egress, proxies: plan.proxies.reveal(), documents })
  const tools: Tools = { library, httpClient, options: () => optionsWith(httpClient), onPrompt: tellPerson }
  // The compiler cannot see that a mode's plan goes with its name.
  const mode = modes[plan.mode] as Mode<SinglePlan>
  let source: Promise<Source> | undefined
  return {
    async acquire(scope, attempt, options) {
      refusePlaceholders(plan, scope)
      // What a member of a chain before this one saw fail says nothing of this one.
      attempt.failure = undefined
      source ??= Promise.resolve().then(() => mode.build(plan, tools))
      try {
        return requireUsable(await (await source).getToken(scope, { ...options, abortSignal: attempt.signal }))
      } catch (error) {
        // After a failure the library refuses to try again for a minute; a new credential may.
        source = undefined
        throw toTokenError(error, attempt, mode.failed)
      }
    },
  }
}

/**
 * The options of every credential of the library. Our client retries, so that a second layer would only multiply the attempts, and it
 * chooses the proxy; with one named here the library does not read the environment, whose value may be no URL and may hold a password,
 * which the library would log.
 */
function optionsWith(httpClient: Tools['httpClient']): TokenCredentialOptions {
  return { httpClient, retryOptions: { maxRetries: 0 }, proxyOptions: { host: 'http://proxy.invalid', port: 1 } }
}

/** The type leaves out the lifetime that every answer has; the transport refuses an answer without one. */
function tellPerson(info: library.DeviceCodeInfo & { readonly expiresIn?: number }): void {
  const { userCode, verificationUri, expiresIn = 0 } = info
  currentAttempt.getStore()?.prompt({ userCode, verificationUri, expiresOnTimestamp: Date.now() + expiresIn * 1000 })
}

/** Nothing under `.invalid` can be reached, so the attempt fails at once and offline, saying what to replace. */
function refusePlaceholders(plan: CredentialPlan, scope: string): void {
  const authorityHost = 'authority' in plan ? plan.authority.authorityHost : ''
  if (!isPlaceholder(authorityHost) && !isPlaceholder(scope)) return
  throw new ServiceError(
    'PLACEHOLDER_PROFILE',
    `This profile holds placeholders; replace ${plan.placeholders.join(', ')}`,
  )
}

/** Codes that say a member of the default chain is not available here, so that the next one may try. */
const unavailable = /^(CREDENTIAL_|IDENTITY_ENDPOINT_|MANAGED_IDENTITY_UNAVAILABLE|CLI_NOT_)/

function createChain(plan: DefaultPlan, documents: SharedDocuments | undefined): TokenSupply {
  const members = plan.chain.map((member) => ({ mode: member.mode, supply: createSingleSupply(member, documents) }))
  return {
    async acquire(scope, attempt, options) {
      const tried: string[] = []
      for (const { mode, supply } of members) {
        try {
          return await supply.acquire(scope, attempt, options)
        } catch (error) {
          // When the time of all is over, it is not for want of a credential.
          if (attempt.signal.aborted || !isServiceError(error) || !unavailable.test(error.code)) throw error
          tried.push(`${mode}: ${error.code}`)
        }
      }
      throw new ServiceError(
        'CHAIN_EXHAUSTED',
        `No credential of the default chain is available here (${tried.join(', ')})`,
      )
    },
  }
}
