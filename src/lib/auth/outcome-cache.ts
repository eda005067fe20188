import { isServiceError, ServiceError } from '../errors.ts'
import type { SignInPrompt } from '../transport/attempt.ts'
import { singleFlightCache } from '../base/single-flight-cache.ts'
import type { AccessToken } from './token-credential.ts'

interface Attempted {
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly durationMs: number
  /** Whether the outcome was already there when it was asked for. */
  readonly cached: boolean
}

/** What is known of the token now. */
export type TokenOutcome =
  | (Attempted & { readonly status: 'acquired'; readonly token: AccessToken })
  | (Attempted & { readonly status: 'failed'; readonly error: ServiceError })
  | (Attempted & { readonly status: 'pending'; readonly prompt: SignInPrompt })

/** Milliseconds a failure, a token that is in doubt, or one too short-lived to be worth caching, is reused. */
const shortReuseMs = 20_000
/** The library's own refresh point when the authority names none: five minutes before the end. */
const refreshBeforeEndMs = 300_000

export interface OutcomeCache {
  /** The outcome in force; starts an attempt only when none is active and none is fresh enough. */
  current(): Promise<TokenOutcome>
  /** The last outcome that ended, without starting anything. */
  last(): TokenOutcome | undefined
  /** Something is wrong with the token in force: it is not reused to its end, but for as long as a failure. */
  distrust(): void
}

export interface Clocks {
  /** Milliseconds since the epoch, for people and for the end of a token. Default is `Date.now`. */
  readonly wall?: () => number
  /** Milliseconds by a clock that is never set, for ages. Default is `performance.now`. */
  readonly now?: () => number
}

/** An attempt that is under way or ended. */
interface Running {
  readonly startedAt: number
  readonly started: number
  readonly prompted: Promise<SignInPrompt>
  ended?: TokenOutcome
}

/**
 * Keeps one attempt in flight and its result until it is worth a new one. The library has neither: five parallel calls
 * make five requests, and a failure is repeated at once. A device-code sign-in counts as one long attempt that is
 * reported as pending from the moment a person is asked.
 *
 * @param acquire Makes one attempt; is given what to call when a person has to sign in.
 */
export function createOutcomeCache(
  acquire: (onPrompt: (prompt: SignInPrompt) => void) => Promise<AccessToken>,
  { wall = Date.now, now = () => performance.now() }: Clocks = {},
): OutcomeCache {
  const outcomes = singleFlightCache<TokenOutcome>({ ttlMs: (outcome) => ttlOf(outcome, wall()), now })
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
    const cancelled = outcome.status === 'failed' && outcome.error.code === 'TOKEN_CANCELLED'
    last = cancelled ? undefined : outcome
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

/** Milliseconds that an outcome is reused. A token is, until its refresh point; one that lives less than that, for half of its life at most. */
function ttlOf(outcome: TokenOutcome, wall: number): number {
  if (outcome.status === 'failed' && outcome.error.code === 'TOKEN_CANCELLED') return 0
  if (outcome.status !== 'acquired') return shortReuseMs
  const { refreshAfterTimestamp, expiresOnTimestamp } = outcome.token
  const life = expiresOnTimestamp - wall
  const refresh = (refreshAfterTimestamp ?? expiresOnTimestamp - refreshBeforeEndMs) - wall
  return Math.min(Math.max(refresh, Math.min(shortReuseMs, life / 2)), life)
}
