import { ownCopy } from '../base/json.ts'
import { withoutFinalSlashes } from '../base/address.ts'
import type { AbortSignalLike } from '../base/waiting.ts'
import { showValue } from '../base/printable.ts'
import { counterpartOf } from '../clouds/counterpart.ts'
import { knownCloudOfAuthority } from '../clouds/equal-values.ts'
import { servicesOf } from '../clouds/known-clouds.ts'
import { argumentError, type ErrorCode, isServiceError, mustBe, ServiceError } from '../errors.ts'
import { Attempt, type SignInPrompt, type TraceStep } from '../transport/attempt.ts'
import { type AcquireOptions, acquireToken, requestOf } from './acquire-token.ts'
import type { CredentialPlan } from './credential-plan.ts'
import type { Session } from './modes/mode.ts'
import { canceled, createTokenCache, type StartAttempt } from './token-cache.ts'
import type { AccessToken, GetTokenOptions } from './token-credential.ts'

// This folder decides which credential to use, and requests, caches and renews its tokens. It reads the files of secrets, and only its folder
// `library` and its modes use the credential library. Every request goes through src/lib/transport.

/** The end of a token request: a new token, a cached token or a failure. */
export interface TokenEnd {
  readonly scope: string
  /** Whether no attempt was needed. */
  readonly cached: boolean
  readonly durationMs: number
  /** The requests of the attempt, in order. */
  readonly steps: readonly TraceStep[]
  /** Why the attempt failed. Absent if it succeeded. */
  readonly code?: ErrorCode
}

export interface CachedCredentialOptions extends Omit<AcquireOptions, 'request' | 'session' | 'mayPrompt'> {
  /** Milliseconds of one attempt; with deviceCode, until a person is told to sign in. Default is the value of the plan at once. */
  readonly timeoutMs?: number
  /** Called when a person has to sign in (deviceCode). */
  readonly onPrompt?: (prompt: SignInPrompt) => void | Promise<void>
  /** Called when an attempt ended, failed or not, and when `getToken` returns a cached token. */
  readonly onEnd?: (ended: TokenEnd) => void
  /** Replaces the scope of an attempt, within its deadline: the metadata of a cloud may have another audience. */
  readonly scopeOf?: (scope: string, attempt: Attempt) => Promise<string>
}

/**
 * Builds the credential of a plan. All token requests go through here: SDKs call `getToken`, diagnostics use the other methods. Unlike the
 * library's, it ends by its deadline or by the caller's `abortSignal`, contacts only the hosts of the plan, makes one attempt for concurrent
 * callers, renews in the background, and fails with a {@link ServiceError} that says why.
 *
 * @param plan A plan, or a function that returns one for each attempt. If it throws, the attempt fails with its error.
 */
export function openCredential(plan: CredentialPlan | (() => CredentialPlan), given: CachedCredentialOptions = {}) {
  const options = ownCopy(given)
  const planOf = typeof plan === 'function' ? plan : () => plan
  const timeoutMs = options.timeoutMs ?? planOf().timeoutMs
  const cache = createTokenCache()
  const session: Session = ownCopy({})

  const attemptOnce =
    (scope: string, request: GetTokenOptions, mayPrompt: boolean): StartAttempt =>
    async ({ onPrompt, signal, isRenewal }) => {
      const started = performance.now()
      let requestedScope = scope
      const prompt = (shown: SignInPrompt) => {
        onPrompt(shown)
        return options.onPrompt?.(shown)
      }
      const attempt = new Attempt({ timeoutMs, signal, onPrompt: prompt, isBackground: isRenewal })
      let code: { readonly code?: ErrorCode } = {}
      try {
        return await attempt.run(async () => {
          const current = planOf()
          requestedScope = (await options.scopeOf?.(scope, attempt)) ?? scope
          refuseForeignAudience(requestedScope, current)
          return acquireToken(current, requestedScope, attempt, ownCopy({ ...options, request, session, mayPrompt }))
        })
      } catch (error) {
        if (!isServiceError(error)) throw error
        code = { code: error.code }
        if (!ofScope.has(error.code)) throw error
        const found = counterpartOf(requestedScope, { cloud: planOf().cloud })
        throw error.again({ evidence: scopeEvidence(requestedScope, found) })
      } finally {
        const durationMs = Math.round(performance.now() - started)
        options.onEnd?.(ownCopy({ scope, cached: false, durationMs, steps: attempt.steps, ...code }))
      }
    }

  const needsPerson = (): boolean => {
    try {
      return session.account === undefined && planOf().mode === 'deviceCode'
    } catch {
      // The attempt fails for the same reason, and reports it.
      return false
    }
  }

  /** Makes an attempt. Signs in a person if no sign-in is left, unless nobody waits for the token. */
  const attemptFor =
    (scope: string, request: GetTokenOptions = {}): StartAttempt =>
    async (context) => {
      for (let signIns = 0; ;) {
        const { account } = session
        try {
          if (context.isRenewal || !needsPerson()) return await attemptOnce(scope, request, false)(context)
        } catch (error) {
          // The second sign-in is for a scope that the first one didn't cover.
          if (context.isRenewal || account === undefined || signIns > 1 || !endsSignIn(error)) throw error
          // The person has signed in again for another caller.
          if (session.account !== account) continue
        }
        signIns++
        let own = false
        const token = await cache.signIn((shared) => {
          own = true
          return attemptOnce(scope, request, true)(shared)
        }, context)
        if (own) return token
      }
    }

  return {
    async getToken(scopes: string | string[], given?: GetTokenOptions | null): Promise<AccessToken> {
      const { signal, claims, others } = given ? readRequest(given) : noRequest
      const scope = firstScope(scopes, planOf)
      // A later TypeError would not name the option.
      if (signal !== undefined && typeof (signal as Partial<AbortSignalLike> | null)?.addEventListener !== 'function')
        throw argumentError(mustBe('abortSignal', 'an AbortSignal', showValue(signal)))
      if (signal?.aborted === true) throw canceled(signal)
      const request = others.tenantId === undefined ? others : ownCopy(requestOf(planOf(), others))
      const key = keyOf(scope, request)
      const start = attemptFor(scope, claims === undefined ? request : { ...request, claims })
      const { token, cached } = await cache.token(key, start, { signal, claims })
      if (cached) options.onEnd?.(ownCopy({ scope, cached, durationMs: 0, steps: [] }))
      return token
    },
    /** The outcome for a scope, failures included, shared and reused. Pending while a person signs in. Never rejects. */
    outcome: async (scope: string) => cache.outcome(keyOf(scope), attemptFor(scope)),
    /** The last outcome for a scope, without an attempt. */
    lastOutcome: (scope: string) => cache.last(keyOf(scope)),
    limitReuse: () => cache.limitReuse(),
  }
}

const endOfSignIn = new Set(['invalid_grant', 'interaction_required', 'consent_required', 'login_required'])

/** Whether the authority no longer accepts the sign-in of a person, or the library had no refresh token. After another failure, it still serves. */
const endsSignIn = (error: unknown): boolean =>
  isServiceError(error) && (error.code === 'DEVICE_CODE_EXPIRED' || endOfSignIn.has(error.evidence?.['error'] ?? ''))

function readRequest(given: GetTokenOptions) {
  const { abortSignal: signal, claims, ...others } = ownCopy(given)
  return { signal, claims, others: ownCopy(others) }
}

/** Most calls have no options, and copies for each would take half of the time of a cached token. */
const noRequest: ReturnType<typeof readRequest> = readRequest({})

/** The key of a token in the cache. JSON, so that no text of a caller can imitate another key: a scope doesn't end with a bracket. */
const keyOf = (scope: string, { tenantId = '', enableCae = false }: GetTokenOptions = noRequest.others): string =>
  tenantId === '' && !enableCae ? scope : JSON.stringify([scope, tenantId, enableCae])

/** The first scope: an audience, any text without blanks, followed by `/.default`. */
function firstScope(scopes: unknown, planOf: () => CredentialPlan): string {
  const isList = Array.isArray(scopes)
  const first: unknown = isList ? scopes[0] : scopes
  const text = typeof first === 'string' ? first : ''
  if (/^\S+\/\.default$/.test(text) && text.indexOf('.default') === text.lastIndexOf('.default')) return text
  const found = text === '' ? undefined : counterpartOf(text, { cloud: planOf().cloud, as: 'scope' })
  const message = `scopes must be an audience followed by ".default", but ${isList ? 'the first ' : ''}is ${showValue(first)}`
  if (found === undefined)
    throw argumentError({ message, fix: 'Pass the scope of a service, such as service(NAME).scope.' })
  throw new ServiceError('ARGUMENT_INVALID', `${message}. ${found.advice}`, { evidence: scopeEvidence(text, found) })
}

/** Failures of the requested scope. */
const ofScope: ReadonlySet<ErrorCode> = new Set(['RESOURCE_UNKNOWN', 'SCOPE_INVALID', 'MANAGED_IDENTITY_REJECTED'])

/** A refused scope, and the scope that the cloud has instead. */
const scopeEvidence = (scope: string, found: ReturnType<typeof counterpartOf>) => ({
  scope,
  scopeToUse: found?.scope,
  counterpart: found?.advice,
})

/**
 * Refuses the audience of another cloud, and names that cloud, because the error of a login authority doesn't. The audiences of the profile
 * are allowed. A private cloud may accept any audience, so every audience is allowed there.
 */
function refuseForeignAudience(scope: string, { cloud }: CredentialPlan): void {
  const { authorityHost, resourceManagerAudience, serviceAudiences } = cloud
  const services = Object.values(servicesOf(cloud)).map(({ audience }) => audience)
  const own = [resourceManagerAudience, ...Object.values(serviceAudiences), ...services]
  const audience = scope.slice(0, -'.default'.length)
  const isOwn = own.some((each) => each !== undefined && withoutFinalSlashes(each) === withoutFinalSlashes(audience))
  if (isOwn || knownCloudOfAuthority(authorityHost) === undefined) return
  const found = counterpartOf(scope, { cloud })
  if (found?.owner === undefined) return
  const message = `The scope ${showValue(scope)} is for another cloud. ${found.advice}`
  const evidence = { audience, owner: found.owner.displayName, ...scopeEvidence(scope, found) }
  throw new ServiceError('ARGUMENT_INVALID', message, { evidence })
}
