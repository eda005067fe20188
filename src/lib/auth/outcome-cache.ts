import { isServiceError, ServiceError } from '../errors.ts'
import type { SignInPrompt } from '../transport/attempt.ts'
import { singleFlightCache } from '../base/single-flight-cache.ts'
import type { AccessToken } from './token-credential.ts'

interface Attempted {
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly durationMs: number
  /** Whether the outcome was already there. */
  readonly cached: boolean
}

/** The outcome of an attempt, or its state while a person signs in. */
export type TokenOutcome =
  | (Attempted & { readonly status: 'acquired'; readonly token: AccessToken })
  | (Attempted & { readonly status: 'failed'; readonly error: ServiceError })
  | (Attempted & { readonly status: 'pending'; readonly prompt: SignInPrompt })

/** Milliseconds that a failure, a distrusted token or a short-lived one is reused. */
const shortReuseMs = 20_000
/** Milliseconds before the expiry at which the library refreshes, if the authority names no time. */
const refreshBeforeExpiryMs = 300_000

export interface OutcomeCache {
  /** The current outcome. Starts an attempt if none is active and no outcome is fresh enough. */
  current(): Promise<TokenOutcome>
  /** The last outcome, without a new attempt. */
  last(): TokenOutcome | undefined
  /** A check failed for the current token: it is reused only as long as a failure. */
  distrust(): void
}

export interface Clocks {
  /** Milliseconds since the epoch, for expiries. Default is `Date.now`. */
  readonly wall?: () => number
  /** Milliseconds of a monotonic clock, for ages. Default is `performance.now`. */
  readonly now?: () => number
  /** From 0 to 1: how much earlier than it must a token is renewed. Default is `Math.random`. */
  readonly random?: () => number
}

/** An attempt that is under way or ended. */
interface Running {
  readonly startedAt: number
  readonly started: number
  readonly prompted: Promise<SignInPrompt>
  ended?: TokenOutcome
}

/**
 * Shares one attempt among concurrent callers, and caches its outcome. The library does neither: five parallel calls make five requests,
 * and a failure is repeated at once. A sign-in by device code is one attempt, pending from the moment a person is asked.
 *
 * @param acquire Makes one attempt, and calls `onPrompt` when a person has to sign in.
 */
export function createOutcomeCache(
  acquire: (onPrompt: (prompt: SignInPrompt) => void) => Promise<AccessToken>,
  { wall = Date.now, now = () => performance.now(), random = Math.random }: Clocks = {},
): OutcomeCache {
  const outcomes = singleFlightCache<TokenOutcome>({ ttlMs: (outcome) => ttlOf(outcome, wall(), random()), now })
  let latest: Running | undefined
  let last: TokenOutcome | undefined

  const since = ({ startedAt, started }: Running): Attempted => ({
    startedAt,
    durationMs: Math.round(now() - started),
    cached: false,
  })

  const start = async (): Promise<TokenOutcome> => {
    let tell: (prompt: SignInPrompt) => void = () => {}
    const prompted = new Promise<SignInPrompt>((resolve) => (tell = resolve))
    const running: Running = { startedAt: wall(), started: now(), prompted }
    latest = running
    const outcome = await settle(acquire((prompt) => tell(prompt))).then((settled) => ({
      ...settled,
      ...since(running),
    }))
    running.ended = outcome
    const isCanceled = outcome.status === 'failed' && outcome.error.code === 'TOKEN_CANCELLED'
    last = isCanceled ? undefined : outcome
    return outcome
  }

  return {
    async current() {
      const before = latest?.ended
      const answer = outcomes.get(start)
      const running = latest as Running
      const prompt = await Promise.race([answer.then(() => undefined), running.prompted])
      if (prompt !== undefined && running.ended === undefined) return { status: 'pending', prompt, ...since(running) }
      const outcome = await answer
      return outcome === before ? { ...outcome, cached: true } : outcome
    },
    last: () => last,
    distrust: () => outcomes.shorten(shortReuseMs),
  }
}

type Settled =
  | { readonly status: 'acquired'; readonly token: AccessToken }
  | { readonly status: 'failed'; readonly error: ServiceError }

async function settle(attempt: Promise<AccessToken>): Promise<Settled> {
  try {
    return { status: 'acquired', token: await attempt }
  } catch (error) {
    if (isServiceError(error)) return { status: 'failed', error }
    return { status: 'failed', error: new ServiceError('UNEXPECTED', 'The token attempt failed', { cause: error }) }
  }
}

/** Milliseconds that an outcome is reused: a token until its refresh point, a short-lived one for half of its lifetime at most. */
function ttlOf(outcome: TokenOutcome, wall: number, random: number): number {
  if (outcome.status === 'failed' && outcome.error.code === 'TOKEN_CANCELLED') return 0
  if (outcome.status !== 'acquired') return shortReuseMs
  const { refreshAfterTimestamp, expiresOnTimestamp } = outcome.token
  const life = expiresOnTimestamp - wall
  const refresh = (refreshAfterTimestamp ?? expiresOnTimestamp - refreshBeforeExpiryMs) - wall
  // Instances that start together renew apart, over half of the time, so that they do not ask the authority in the same seconds.
  const early = refresh > shortReuseMs ? refresh * (1 - random / 2) : refresh
  return Math.min(Math.max(early, Math.min(shortReuseMs, life / 2)), life)
}
