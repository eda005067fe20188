import type { AccessToken } from '@azure/core-auth'
import { isServiceError, ServiceError } from '../errors.ts'
import type { SignInPrompt } from './credential.ts'

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

/** Milliseconds a failure, or a token too short-lived to be worth caching, is reused. */
const shortReuseMs = 20_000
/** The library's own refresh point when the authority names none: five minutes before the end. */
const refreshBeforeEndMs = 300_000

export interface TokenSource {
  /** The outcome in force; starts an attempt only when none is active and none is fresh enough. */
  current(): Promise<TokenOutcome>
  /** The last outcome that ended, without starting anything. */
  last(): TokenOutcome | undefined
}

type State =
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'running'
      readonly startedAt: number
      /** Settles when the attempt ends or a person is asked, whichever comes first. */
      readonly answer: Promise<TokenOutcome>
      prompted?: SignInPrompt
    }
  | { readonly kind: 'ended'; readonly outcome: TokenOutcome; readonly reuseUntil: number }

/**
 * Keeps one attempt in flight and its result until it is worth a new one. The library has neither: five parallel calls
 * make five requests, and a failure is repeated at once. A device-code sign-in counts as one long attempt that is
 * reported as pending from the moment a person is asked.
 *
 * @param acquire Makes one attempt; is given what to call when a person has to sign in.
 */
export function createTokenSource(
  acquire: (onPrompt: (prompt: SignInPrompt) => void) => Promise<AccessToken>,
  now: () => number = Date.now,
): TokenSource {
  let state: State = { kind: 'idle' }
  let announce: (prompt: SignInPrompt) => void = () => {}

  const start = () => {
    const startedAt = now()
    const prompted = new Promise<TokenOutcome>((resolve) => {
      announce = (prompt) => {
        if (state.kind === 'running') state.prompted = prompt
        resolve(pending(prompt, startedAt))
      }
    })
    const answer = Promise.race([attempt(startedAt), prompted])
    state = { kind: 'running', startedAt, answer }
    return answer
  }

  const attempt = async (startedAt: number): Promise<TokenOutcome> => {
    const outcome = await settle(startedAt)
    const cancelled = outcome.status === 'failed' && outcome.error.code === 'TOKEN_CANCELLED'
    state = cancelled ? { kind: 'idle' } : { kind: 'ended', outcome, reuseUntil: reuseUntil(outcome, now()) }
    return outcome
  }

  const settle = async (startedAt: number): Promise<TokenOutcome> => {
    try {
      const token = await acquire((prompt) => announce(prompt))
      return { status: 'acquired', token, ...since(startedAt) }
    } catch (error) {
      const known = isServiceError(error)
        ? error
        : new ServiceError('UNEXPECTED', 'The token attempt failed', { cause: error })
      return { status: 'failed', error: known, ...since(startedAt) }
    }
  }

  const pending = (prompt: SignInPrompt, startedAt: number): TokenOutcome => ({
    status: 'pending',
    prompt,
    ...since(startedAt),
  })

  const since = (startedAt: number): Attempted => ({ startedAt, durationMs: now() - startedAt, cached: false })

  return {
    async current() {
      if (state.kind === 'running') {
        return state.prompted === undefined ? state.answer : pending(state.prompted, state.startedAt)
      }
      if (state.kind === 'ended' && now() < state.reuseUntil) return { ...state.outcome, cached: true }
      return start()
    },
    last: () => (state.kind === 'ended' ? state.outcome : undefined),
  }
}

function reuseUntil(outcome: TokenOutcome, now: number): number {
  if (outcome.status !== 'acquired') return now + shortReuseMs
  const { refreshAfterTimestamp, expiresOnTimestamp } = outcome.token
  return Math.max(refreshAfterTimestamp ?? expiresOnTimestamp - refreshBeforeEndMs, now + shortReuseMs)
}
