import { type AbortSignalLike, unlessAborted } from '../base/waiting.ts'
import { isServiceError, ServiceError } from '../errors.ts'
import type { SignInPrompt } from '../transport/attempt.ts'
import type { AccessToken } from './token-credential.ts'

interface Attempted {
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly durationMs: number
  /** Whether the outcome was already there. */
  readonly cached: boolean
}

type Acquired = Attempted & { readonly status: 'acquired'; readonly token: AccessToken }
type Failed = Attempted & { readonly status: 'failed'; readonly error: ServiceError }

/** The outcome of an attempt, or its state while a person signs in. */
export type TokenOutcome =
  | Acquired
  | Failed
  | (Attempted & { readonly status: 'pending'; readonly prompt: SignInPrompt })

/** Milliseconds that a failure, a token in doubt or a short-lived one is reused. */
const shortReuseMs = 20_000
/** Milliseconds before the expiry at which a token is renewed, if the authority names no time. */
const renewBeforeExpiryMs = 300_000
/** How many tokens are remembered; the oldest go first. */
const maxEntries = 100

/** Makes one attempt. Calls `onPrompt` when a person has to sign in, and ends early by the signal. */
export type StartAttempt = (onPrompt: (prompt: SignInPrompt) => void, signal: AbortSignal) => Promise<AccessToken>

export interface TokenCache {
  /**
   * A valid token. One past its refresh point is returned while the renewal runs in the background, and survives failed renewals until it
   * expires. Concurrent callers of a key share one attempt; a failure is not reused.
   *
   * @param signal Ends the waiting of this caller alone. Only a sign-in without other callers ends with it.
   * @param claims Claims that a service demanded: they need a new token, which replaces the one of the key.
   * @throws {ServiceError} Why there is no token; the reason of the signal.
   */
  token(key: string, start: StartAttempt, options?: TokenRequest): Promise<Omit<Acquired, 'status'>>
  /** The outcome of the last attempt while it is fresh, failures included; otherwise of a new attempt. */
  outcome(key: string, start: StartAttempt): Promise<TokenOutcome>
  /** The outcome of the last attempt that ended. */
  last(key: string): TokenOutcome | undefined
  /** A check failed for a token: every token is reused only as long as a failure. */
  limitReuse(): void
}

export interface TokenRequest {
  readonly signal?: AbortSignalLike | undefined
  readonly claims?: string | undefined
}

export interface Clocks {
  /** Milliseconds since the epoch, for expiries. Default is `Date.now`. */
  readonly wall?: () => number
  /** Milliseconds of a monotonic clock, for ages: setting the wall clock back would freeze them. Default is `performance.now`. */
  readonly now?: () => number
  /** From 0 to 1: how much earlier than it must a token is renewed. Default is `Math.random`. */
  readonly random?: () => number
}

interface Running {
  readonly startedAt: number
  readonly started: number
  readonly ended: Promise<Acquired | Failed>
  readonly prompted: Promise<SignInPrompt>
  isPrompted: boolean
  /** Callers that wait. */
  waiting: number
  readonly end: () => void
}

/** Times are of the monotonic clock. */
interface Entry {
  running?: Running | undefined
  last?: Acquired | Failed
  /** Until then no attempt is made. */
  freshUntil: number
  /** The last token that was acquired, which a failed renewal does not invalidate. */
  valid?: { readonly outcome: Acquired; until: number }
}

/** One cache of tokens and failures for all who need a token, by key. */
export function createTokenCache({
  wall = Date.now,
  now = () => performance.now(),
  random = Math.random,
}: Clocks = {}): TokenCache {
  const entries = new Map<string, Entry>()

  const entryOf = (key: string): Entry => {
    const known = entries.get(key)
    if (known !== undefined) return known
    const entry: Entry = { freshUntil: -Infinity }
    entries.set(key, entry)
    const [oldest = ''] = entries.keys()
    if (entries.size > maxEntries) entries.delete(oldest)
    return entry
  }

  const store = (entry: Entry, outcome: Acquired | Failed): void => {
    entry.last = outcome
    entry.freshUntil = now() + (outcome.status === 'failed' ? shortReuseMs : reuseMsOf(outcome.token, wall(), random()))
    if (outcome.status === 'failed') return
    entry.valid = { outcome, until: now() + outcome.token.expiresOnTimestamp - wall() }
  }

  const begin = (entry: Entry, start: StartAttempt): Running => {
    const controller = new AbortController()
    let tell: (prompt: SignInPrompt) => void = () => {}
    const prompted = new Promise<SignInPrompt>((resolve) => (tell = resolve))
    const times = { startedAt: wall(), started: now() }
    const attempt = start((prompt) => {
      running.isPrompted = true
      tell(prompt)
    }, controller.signal)
    const ended = resultOf(attempt).then((result) => {
      const outcome = { ...result, ...attemptedOf(times, now()) }
      store(entry, outcome)
      entry.running = undefined
      return outcome
    })
    const running = { ...times, ended, prompted, isPrompted: false, waiting: 0, end: () => controller.abort() }
    entry.running = running
    return running
  }

  /** Waits for a running attempt together with its other callers. */
  const join = async (running: Running, signal: AbortSignalLike | undefined): Promise<Acquired> => {
    running.waiting++
    try {
      const outcome = await (signal === undefined ? running.ended : unlessCanceled(running.ended, signal))
      if (outcome.status === 'acquired') return outcome
      throw outcome.error
    } finally {
      running.waiting--
      if (running.waiting === 0 && running.isPrompted && signal?.aborted === true) running.end()
    }
  }

  return {
    async token(key, start, { signal, claims } = {}) {
      if (claims !== undefined) {
        const demanded = `${key} ${claims}`
        const entry = entryOf(demanded)
        const outcome = await join(entry.running ?? begin(entry, start), signal)
        entries.delete(demanded)
        store(entryOf(key), outcome)
        return outcome
      }
      const entry = entryOf(key)
      const { valid } = entry
      if (valid === undefined || now() >= valid.until) return join(entry.running ?? begin(entry, start), signal)
      if (now() >= entry.freshUntil && entry.running === undefined) begin(entry, start)
      return { ...valid.outcome, cached: true }
    },
    async outcome(key, start) {
      const entry = entryOf(key)
      if (entry.running === undefined && entry.last !== undefined && now() < entry.freshUntil) {
        return { ...entry.last, cached: true }
      }
      const running = entry.running ?? begin(entry, start)
      // This caller comes back while a person signs in, so the attempt never ends early.
      running.waiting++
      const pending = running.prompted.then(
        (prompt) => ({ status: 'pending', prompt, ...attemptedOf(running, now()) }) as const,
      )
      return Promise.race([running.ended, pending])
    },
    last: (key) => entries.get(key)?.last,
    limitReuse() {
      for (const entry of entries.values()) {
        const until = now() + shortReuseMs
        entry.freshUntil = Math.min(entry.freshUntil, until)
        if (entry.valid !== undefined) entry.valid.until = Math.min(entry.valid.until, until)
      }
    },
  }
}

/** The error of a caller that gave up. Its cause is the reason of the signal. */
export function canceled({ reason }: AbortSignalLike): ServiceError {
  const error = new ServiceError('TOKEN_CANCELLED', 'The caller canceled the attempt')
  // The caller's own value, of which nothing is left out.
  return reason === undefined ? error : Object.assign(error, { cause: reason })
}

/** The work never rejects. */
const unlessCanceled = <T>(work: Promise<T>, signal: AbortSignalLike): Promise<T> =>
  unlessAborted(work, signal).catch(() => {
    throw canceled(signal)
  })

function attemptedOf({ startedAt, started }: Pick<Running, 'startedAt' | 'started'>, now: number): Attempted {
  return { startedAt, durationMs: Math.round(now - started), cached: false }
}

async function resultOf(
  attempt: Promise<AccessToken>,
): Promise<Omit<Acquired, keyof Attempted> | Omit<Failed, keyof Attempted>> {
  try {
    return { status: 'acquired', token: await attempt }
  } catch (error) {
    if (isServiceError(error)) return { status: 'failed', error }
    return { status: 'failed', error: new ServiceError('UNEXPECTED', 'The token attempt failed', { cause: error }) }
  }
}

/** Milliseconds until a token is renewed: at its refresh point; of a short-lived one after half of its lifetime at most. */
function reuseMsOf({ refreshAfterTimestamp, expiresOnTimestamp }: AccessToken, wall: number, random: number): number {
  const life = expiresOnTimestamp - wall
  // It arrived expired. A new attempt at once would tell a person to sign in again and again.
  if (life <= 0) return shortReuseMs
  const refresh = (refreshAfterTimestamp ?? expiresOnTimestamp - renewBeforeExpiryMs) - wall
  // Instances that start together renew apart, over half of the time, so that their requests reach the authority in different seconds.
  const early = refresh > shortReuseMs ? refresh * (1 - random / 2) : refresh
  return Math.min(Math.max(early, Math.min(shortReuseMs, life / 2)), life)
}
