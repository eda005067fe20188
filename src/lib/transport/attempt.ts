import { causesOf } from '../base/files.ts'
import { unlessAborted } from '../base/waiting.ts'
import { isServiceError, nameOfError, ServiceError, type ErrorCode } from '../errors.ts'

/** The purpose of a request. */
export const traceSteps = [
  'instance-discovery',
  'openid-configuration',
  'user-realm',
  'device-code',
  'token',
  'managed-identity',
  'resource-manager',
  'metadata',
  'challenge',
  'other',
] as const
export type TraceStepName = (typeof traceSteps)[number]

/** One request of an attempt, without query, body and headers, which could contain secrets. */
export interface TraceStep {
  readonly step: TraceStepName
  readonly method: string
  readonly host: string
  readonly path: string
  /** `ok`, or the code of the failure. */
  readonly outcome: 'ok' | ErrorCode
  /** HTTP status. Absent if there was no response. */
  readonly status?: number
  readonly durationMs: number
}

/** The data that a person needs to sign in. Doesn't contain the device code, which is a secret. */
export interface SignInPrompt {
  readonly userCode: string
  readonly verificationUri: string
  /** Milliseconds since the epoch. */
  readonly expiresOnTimestamp: number
}

export interface AttemptOptions {
  /** Milliseconds for the whole attempt. With a device code, milliseconds until the sign-in prompt. */
  readonly timeoutMs: number
  /** Ends the attempt early. */
  readonly signal?: AbortSignal | undefined
  readonly onPrompt?: ((prompt: SignInPrompt) => void | Promise<void>) | undefined
  /** Whether no caller waits for the attempt. Its timers and connections then don't keep the process alive. Default is false. */
  readonly isBackground?: boolean
}

export type Failure = Pick<ServiceError, 'code' | 'message'>

const unexpected: Failure = { code: 'UNEXPECTED', message: 'The token attempt failed for an unknown reason' }

/** Milliseconds after the deadline in which the transport reports which host it was waiting for. */
const failureGraceMs = 100

/** Milliseconds to wait for one response: half of the deadline, and at least 5 seconds. So one setting allows for a slow link. */
export function responseTimeoutMs(deadlineMs = 0): number {
  return Math.max(5000, deadlineMs / 2)
}

/** Work with a deadline that makes requests, usually a token request. Records its sign-in prompt, its requests and its last failure. */
export class Attempt {
  /** Every request, in order. A repeated request, such as a poll, is listed once with its last result. */
  readonly steps: TraceStep[] = []
  readonly timeoutMs: number
  readonly isBackground: boolean
  /** The last failure of the transport, recorded here because the credential library hides it. */
  failure: Error | undefined
  readonly #controller = new AbortController()
  /** Aborts at the deadline, and when the last caller gives up. */
  readonly signal: AbortSignal = this.#controller.signal
  readonly #abandoned = new AbortController()
  readonly #onPrompt: AttemptOptions['onPrompt']
  #timer: NodeJS.Timeout
  /** Whether a person was told to sign in. */
  isPrompted = false

  constructor({ timeoutMs, signal, onPrompt, isBackground = false }: AttemptOptions) {
    this.timeoutMs = timeoutMs
    this.isBackground = isBackground
    this.#onPrompt = onPrompt
    this.#timer = setTimeout(this.#end, timeoutMs)
    if (isBackground) this.#timer.unref()
    signal?.addEventListener('abort', this.#end, { once: true })
  }

  record(step: TraceStep): void {
    const last = this.steps.at(-1)
    if (last !== undefined && identityOf(last) === identityOf(step)) this.steps.pop()
    this.steps.push(step)
  }

  /** Set if the caller's `onPrompt` failed, which ends the attempt. */
  promptFailure: ServiceError | undefined

  /** Asks a person to sign in. The deadline is then the expiry of the code. If the caller can't show the code, the attempt fails. */
  prompt(prompt: SignInPrompt): void {
    this.isPrompted = true
    clearTimeout(this.#timer)
    // The transport has limited the lifetime of a code to the longest timer of Node.
    this.#timer = setTimeout(this.#end, prompt.expiresOnTimestamp - Date.now())
    void this.#show(prompt)
  }

  async #show(prompt: SignInPrompt): Promise<void> {
    try {
      await this.#onPrompt?.(prompt)
    } catch (error) {
      const message = `onDeviceCode failed before a person could sign in: ${nameOfError(error)}`
      const fix = 'Correct the callback onDeviceCode.'
      this.promptFailure = new ServiceError('ARGUMENT_INVALID', message, { cause: error, fix })
      this.#end()
    }
  }

  /** Runs the work. Abandons it when the attempt ends, because the credential library may continue forever. @throws {ServiceError} */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await unlessAborted(work(), this.#abandoned.signal)
    } catch (error) {
      throw isServiceError(error) ? error : this.failureOf(error)
    } finally {
      clearTimeout(this.#timer)
    }
  }

  /**
   * Explains an error of the credential library by the failure that the transport recorded, or by `otherwise` if no request failed. The library
   * has one text for a dozen causes, and the text may quote the response, so it is never passed on.
   */
  failureOf(error: unknown, otherwise: Failure = unexpected): ServiceError {
    const options = { cause: error }
    if (this.promptFailure !== undefined) return this.promptFailure
    if (this.isPrompted && this.signal.aborted) {
      return new ServiceError('DEVICE_CODE_EXPIRED', 'The sign-in was not approved before its code expired', options)
    }
    const ours = causesOf(error).find(isServiceError)
    if (ours !== undefined) return ours
    if (isServiceError(this.failure)) return this.failure
    if (this.signal.aborted) {
      const message = `No token within ${this.timeoutMs} ms (PLATFORM_TOKEN_TIMEOUT_MS)`
      return new ServiceError('TOKEN_TIMEOUT', message, options)
    }
    return new ServiceError(otherwise.code, otherwise.message, options)
  }

  readonly #end = (): void => {
    this.#controller.abort()
    // After a failed prompt the cause is known, so the transport need not report one.
    const waitMs = this.promptFailure === undefined ? failureGraceMs : 0
    setTimeout(() => this.#abandoned.abort(), waitMs)
  }
}

const identityOf = (step: TraceStep): string => JSON.stringify({ ...step, durationMs: 0 })
