import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError, type ErrorCode } from '../errors.ts'

/** What a request is for. */
export type TraceStepName =
  | 'instance-discovery'
  | 'openid-configuration'
  | 'user-realm'
  | 'device-code'
  | 'token'
  | 'managed-identity'
  | 'resource-manager'
  | 'metadata'
  | 'challenge'
  | 'other'

/** One request of an attempt, without anything that could be a secret: no query, no body, no header. */
export interface TraceStep {
  readonly step: TraceStepName
  readonly method: string
  readonly host: string
  readonly path: string
  /** `ok`, or the code of what went wrong. */
  readonly outcome: 'ok' | ErrorCode
  /** HTTP status, when there was an answer. */
  readonly status?: number
  readonly durationMs: number
}

/** What a person needs to sign in, without the device code itself. */
export interface SignInPrompt {
  readonly userCode: string
  readonly verificationUri: string
  /** Milliseconds since the epoch. */
  readonly expiresOnTimestamp: number
}

/** A signal of any kind: the platform's, or that of a library. */
export interface AbortSignalLike {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

export interface AttemptOptions {
  /** Milliseconds of the whole attempt; of a sign-in by a person, until that person is asked. */
  readonly timeoutMs: number
  /** The caller's own end. */
  readonly signal?: AbortSignalLike | undefined
  readonly onPrompt?: ((prompt: SignInPrompt) => void) | undefined
}

/** Milliseconds the transport gets after the end to say what it was waiting for. */
const lastWordsMs = 100
/** The longest time a timer can wait; a longer one would end at once. */
const longestTimerMs = 2_147_483_647

/**
 * One bounded piece of work that makes requests. It owns all that belongs to the work as a whole: its deadline, the person who is asked,
 * what it did, and what failed. Whatever runs in it finds it by {@link currentAttempt}.
 */
export class Attempt {
  /** Every request, in order. */
  readonly steps: TraceStep[] = []
  readonly timeoutMs: number
  /** What the transport refused or saw fail last, in its own words. The credential library hides it from its callers. */
  failure: Error | undefined
  readonly #controller = new AbortController()
  readonly #callerSignal: AbortSignalLike | undefined
  readonly #onPrompt: AttemptOptions['onPrompt']
  #timer: NodeJS.Timeout
  #prompted = false
  #cancelled = false

  constructor({ timeoutMs, signal, onPrompt }: AttemptOptions) {
    this.timeoutMs = timeoutMs
    this.#callerSignal = signal
    this.#onPrompt = onPrompt
    this.#timer = setTimeout(this.#end, Math.min(timeoutMs, longestTimerMs))
    if (signal?.aborted === true) this.#cancel()
    signal?.addEventListener('abort', this.#cancel)
  }

  /** Aborts at the deadline, and when the caller gives up. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Whether the caller ended the attempt, and not the time. */
  get cancelled(): boolean {
    return this.#cancelled
  }

  /** Whether a person was asked to sign in. */
  get prompted(): boolean {
    return this.#prompted
  }

  /** Asks a person, who has until the code ends: no longer the deadline of a machine. */
  prompt(prompt: SignInPrompt): void {
    this.#prompted = true
    clearTimeout(this.#timer)
    const left = prompt.expiresOnTimestamp - Date.now()
    this.#timer = setTimeout(this.#end, Math.min(Math.max(0, left), longestTimerMs))
    this.#onPrompt?.(prompt)
  }

  /** Runs work as this attempt, and gives up on what goes on past the end, which it may do for ever. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    let giveUp = () => {}
    const ended = new Promise<never>((_resolve, reject) => {
      giveUp = () => {
        void sleep(lastWordsMs).then(() => reject(new ServiceError('TOKEN_TIMEOUT', 'The attempt was abandoned')))
      }
    })
    if (this.signal.aborted) giveUp()
    this.signal.addEventListener('abort', giveUp, { once: true })
    try {
      return await currentAttempt.run(this, () => Promise.race([work(), ended]))
    } finally {
      this.signal.removeEventListener('abort', giveUp)
      this.#callerSignal?.removeEventListener('abort', this.#cancel)
      clearTimeout(this.#timer)
    }
  }

  readonly #end = (): void => this.#controller.abort()

  readonly #cancel = (): void => {
    this.#cancelled = true
    this.#end()
  }
}

/**
 * The attempt a request belongs to. The credential library ignores abort signals and has no place to pass anything
 * along, so it travels with the asynchronous context.
 */
export const currentAttempt = new AsyncLocalStorage<Attempt>()
