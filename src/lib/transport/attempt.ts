import { AsyncLocalStorage } from 'node:async_hooks'
import type { ErrorCode } from '../errors.ts'

/** What a request is for. */
export type TraceStepName =
  | 'instance-discovery'
  | 'login-document'
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

/** One bounded piece of work that makes requests: its deadline, and what it did. */
export interface Attempt {
  readonly signal: AbortSignal
  readonly steps: TraceStep[]
  /** What the transport refused or saw fail last, in its own words. The credential library hides it from its callers. */
  failure?: Error
}

/**
 * The attempt a request belongs to. The credential library ignores abort signals and has no place to pass anything
 * along, so it travels with the asynchronous context.
 */
export const currentAttempt = new AsyncLocalStorage<Attempt>()
