import { ownCopy } from '../base/json.ts'
import { type AbortSignalLike, unlessAborted } from '../base/waiting.ts'
import { isServiceError, ServiceError } from '../errors.ts'
import type { SignInPrompt } from '../transport/attempt.ts'
import type { AccessToken } from './token-credential.ts'

interface Attempted {
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly durationMs: number
  /** Whether no attempt was needed. */
  readonly cached: boolean
}

type Acquired = Attempted & { readonly status: 'acquired'; readonly token: AccessToken }
type Failed = Attempted & { readonly status: 'failed'; readonly error: ServiceError }
type Pending = Attempted & { readonly status: 'pending'; readonly prompt: SignInPrompt }

/** The outcome of an attempt, or its state while a person signs in. */
export type TokenOutcome = Acquired | Failed | Pending

/** Milliseconds that a failure is reused, or a token that is doubtful or expires soon. */
const shortReuseMs = 20_000
/** Milliseconds before the expiry at which a token is renewed, if the authority names no time. */
const renewBeforeExpiryMs = 300_000
/** The most tokens in the cache. The oldest is removed first. */
const maxEntries = 100

/** Milliseconds in which another caller joins an attempt. A later caller would have too little time left. */
const shareMs = 2000

interface AttemptContext {
  /** Called when a person has to sign in. */
  readonly onPrompt: (prompt: SignInPrompt) => void
  /** Ends the attempt early. */
  readonly signal: AbortSignal
  /** Nobody waits for a renewal, so it must not keep the process alive. */
  readonly isRenewal: boolean
}

export type StartAttempt = (context: AttemptContext) => Promise<AccessToken>

interface Running {
  readonly attempted: () => Attempted
  readonly ended: Promise<Acquired | Failed>
  readonly prompted: Promise<SignInPrompt>
  isPrompted: boolean
  /** Callers that wait. */
  waiting: number
  readonly end: () => void
}

/** A time on both clocks. It has come as soon as either clock reaches it. */
type Moment = { readonly wall: number; readonly now: number }

interface Entry {
  /** The attempt that callers wait for. */
  running?: Running | undefined
  renewal?: Running | undefined
  last?: Acquired | Failed
  /** Until then no attempt is made. */
  freshUntil: Moment
  /** The last token that was acquired, which a failed renewal does not invalidate. */
  valid?: { readonly outcome: Acquired; until: Moment }
}

/**
 * One cache of tokens and failures for all who need a token, by key. The wall clock can be set back, and the monotonic clock (`now`) stops
 * while the machine is suspended. `random` is how much earlier than necessary a token is renewed, from 0 to 1.
 */
export function createTokenCache(clocks: { wall?: () => number; now?: () => number; random?: () => number } = {}) {
  const { wall = Date.now, now = () => performance.now(), random = Math.random } = ownCopy(clocks)
  const entries = new Map<string, Entry>()
  const after = (ms: number): Moment => ({ wall: wall() + ms, now: now() + ms })
  const hasCome = (moment: Moment) => wall() >= moment.wall || now() >= moment.now

  /** The sign-in of a person. */
  const person: Entry = { freshUntil: after(-1) }

  const entryOf = (key: string): Entry => {
    const known = entries.get(key)
    if (known !== undefined) return known
    const entry: Entry = ownCopy({ freshUntil: after(-1) })
    entries.set(key, entry)
    const [oldest = ''] = entries.keys()
    if (entries.size > maxEntries) entries.delete(oldest)
    return entry
  }

  const store = (entry: Entry, outcome: Acquired | Failed): void => {
    entry.last = outcome
    const isFailed = outcome.status === 'failed'
    entry.freshUntil = after(isFailed ? shortReuseMs : reuseMsOf(ownCopy(outcome.token), wall(), random()))
    if (!isFailed) entry.valid = { outcome, until: after(outcome.token.expiresOnTimestamp - wall()) }
  }

  const begin = (entry: Entry, start: StartAttempt, kind: 'running' | 'renewal' = 'running'): Running => {
    const controller = new AbortController()
    const { promise: prompted, resolve: tell } = Promise.withResolvers<SignInPrompt>()
    const [startedAt, started] = [wall(), now()]
    const attempted = () => ({ startedAt, durationMs: Math.round(now() - started), cached: false })
    const release = () => {
      if (entry[kind] === running) entry[kind] = undefined
    }
    const onPrompt = (prompt: SignInPrompt) => {
      running.isPrompted = true
      tell(prompt)
    }
    const ended = start({ onPrompt, signal: controller.signal, isRenewal: kind === 'renewal' })
      .then(
        (token): Acquired => ({ status: 'acquired', token, ...attempted() }),
        (error: unknown): Failed => ({ status: 'failed', error: errorOf(error), ...attempted() }),
      )
      .then((outcome) => {
        // If its last caller gave up, the result says nothing about the authority.
        if (!controller.signal.aborted || outcome.status === 'acquired') store(entry, outcome)
        release()
        return outcome
      })
    const end = () => {
      controller.abort()
      release()
    }
    const running: Running = { attempted, ended, prompted, isPrompted: false, waiting: 0, end }
    entry[kind] = running
    return running
  }

  /** A running attempt to join, unless it is old. A sign-in is always joined, because a person signs in once. */
  const runningOf = ({ running }: Entry): Running | undefined =>
    running !== undefined && (running.isPrompted || running.attempted().durationMs < shareMs) ? running : undefined

  /** Waits for a running attempt together with its other callers. */
  const join = async (running: Running, signal: AbortSignalLike | undefined): Promise<Acquired> => {
    running.waiting++
    try {
      const outcome = await (signal === undefined ? running.ended : unlessAborted(running.ended, signal))
      if (outcome.status === 'acquired') return outcome
      throw outcome.error
    } catch (error) {
      throw isServiceError(error) || signal === undefined ? error : canceled(signal)
    } finally {
      running.waiting--
      if (running.waiting === 0 && signal?.aborted === true) running.end()
    }
  }

  return {
    /**
     * A valid token. Past its refresh point it is renewed in the background and still returned until it expires, even if renewals fail.
     * Concurrent callers of a key share one attempt, which ends with its last caller. A failure isn't reused.
     *
     * @param signal Ends the waiting of this caller only.
     * @param claims Claims that a service demanded: they need a new token, which replaces the one of the key.
     */
    async token(
      key: string,
      start: StartAttempt,
      { signal, claims }: { signal?: AbortSignalLike | undefined; claims?: string | undefined } = {},
    ): Promise<Omit<Acquired, 'status'>> {
      const demanded = claims === undefined ? key : JSON.stringify([key, claims])
      const entry = entryOf(demanded)
      const { valid } = entry
      if (claims !== undefined || valid === undefined || hasCome(valid.until)) {
        const outcome = await join(runningOf(entry) ?? begin(entry, start), signal)
        if (claims === undefined) return outcome
        entries.delete(demanded)
        store(entryOf(key), outcome)
        return outcome
      }
      const isRenewing = entry.renewal !== undefined || entry.running !== undefined
      if (hasCome(entry.freshUntil) && !isRenewing) begin(entry, start, 'renewal')
      return { ...valid.outcome, cached: true }
    },
    /** Waits for the sign-in of a person together with every caller that needs one, whatever its key. It ends with its last caller. */
    async signIn(start: StartAttempt, { signal, onPrompt }: AttemptContext): Promise<AccessToken> {
      const running = person.running ?? begin(person, start)
      void running.prompted.then(onPrompt)
      return (await join(running, signal)).token
    },
    /** The outcome of the last attempt while it is fresh, failures included; otherwise of a new attempt. */
    async outcome(key: string, start: StartAttempt): Promise<TokenOutcome> {
      const entry = entryOf(key)
      if (entry.running === undefined && entry.last !== undefined && !hasCome(entry.freshUntil)) {
        return { ...entry.last, cached: true }
      }
      const running = entry.running ?? begin(entry, start)
      // This caller may come back while a person signs in, so the attempt must not end early.
      running.waiting++
      const pending = running.prompted.then(
        (prompt) => ({ status: 'pending', prompt, ...running.attempted() }) as const,
      )
      return Promise.race([running.ended, pending])
    },
    /** The outcome of the last attempt that ended. */
    last: (key: string): TokenOutcome | undefined => entries.get(key)?.last,
    /** Reuses every token only as long as a failure. Call it after a check blames a token. */
    limitReuse() {
      const soon = after(shortReuseMs)
      const limit = (at: Moment) => ({ wall: Math.min(at.wall, soon.wall), now: Math.min(at.now, soon.now) })
      for (const entry of entries.values()) {
        entry.freshUntil = limit(entry.freshUntil)
        if (entry.valid !== undefined) entry.valid.until = limit(entry.valid.until)
      }
    },
  }
}

/** The error for a caller that gave up. Its cause is the reason of the signal. */
export function canceled({ reason }: AbortSignalLike): ServiceError {
  const error = new ServiceError('TOKEN_CANCELLED', 'The caller canceled the attempt')
  // Pass the abort reason through unchanged.
  return reason === undefined ? error : Object.assign(error, { cause: reason })
}

const errorOf = (error: unknown): ServiceError =>
  isServiceError(error) ? error : new ServiceError('UNEXPECTED', 'The token attempt failed', { cause: error })

/** Milliseconds until a token is renewed: at its refresh point, and a short-lived token after half of its lifetime at most. */
function reuseMsOf({ refreshAfterTimestamp, expiresOnTimestamp }: AccessToken, wall: number, random: number): number {
  const life = expiresOnTimestamp - wall
  // The token arrived expired. An immediate attempt would make a person sign in again and again.
  if (life <= 0) return shortReuseMs
  const refresh = (refreshAfterTimestamp ?? expiresOnTimestamp - renewBeforeExpiryMs) - wall
  // Spreads the renewals of instances that started together over half of the time, so that they don't reach the authority at once.
  const early = refresh > shortReuseMs ? refresh * (1 - random / 2) : refresh
  return Math.min(Math.max(early, Math.min(shortReuseMs, life / 2)), life)
}
