import { printable, quoteShell } from './base/printable.ts'
import { isNeverSecret, referenceProblem } from './base/references.ts'
import type { ErrorCode, WarningCode } from './findings/codes.ts'
import type { Evidence } from './findings/evidence.ts'
import type { Change } from './findings/finding.ts'

export type { Evidence } from './findings/evidence.ts'
export type { Change } from './findings/finding.ts'
export type { ErrorCode, NetworkFault, NetworkRole, WarningCode } from './findings/codes.ts'

export interface ServiceErrorOptions extends ErrorOptions {
  /** Undefined values are left out, and text of other systems is made printable. */
  readonly evidence?: { readonly [K in keyof Evidence]: string | undefined } | undefined
  /** Milliseconds to wait before the next try, as the other side requests. */
  readonly retryAfterMs?: number | undefined
  /** What to change, if only the place of the failure knows it. Default is the fix of the catalog. */
  readonly fix?: string | undefined
}

/** Failures that may pass without a change. For a network failure, its fault decides. */
const transientCodes: ReadonlySet<string> = new Set<ErrorCode>(['TOKEN_TIMEOUT', 'CLI_TIMEOUT'])
/** OAuth 2.0 errors of an authority that asks for a later try. */
const transientNames: ReadonlySet<string> = new Set(['temporarily_unavailable', 'server_error'])

interface ErrorChanges extends Pick<ServiceErrorOptions, 'evidence'> {
  readonly code?: ErrorCode
  /** Follows the message. */
  readonly note?: string
  /** Changes the words of message and fix. */
  readonly rename?: (text: string) => string
}

/** Marks the errors of every copy of the class: an application may load the library by `import` and by `require`. */
const mark = Symbol.for('cloud-profile-service.ServiceError')

/** A failure that this service expects and can explain. `code` is stable; `message` is for people and contains no secret. */
export class ServiceError extends Error {
  static {
    // A bundler may rename the class, and Node prints its name.
    Object.defineProperty(this, 'name', { value: 'ServiceError' })
  }

  readonly code: ErrorCode
  /** The values that prove the failure, by name, such as `issuer`. They may be text of other systems, and contain no secret. */
  declare readonly evidence?: Readonly<Record<string, string>>
  /** Milliseconds to wait before the next try, from the header Retry-After. */
  declare readonly retryAfterMs?: number
  /** What to change, for an operator. Begins with a verb. Empty for an error that no function of the library threw. */
  declare readonly fix: string
  /** The one setting that the fix changes; absent if the fix is not a setting. */
  declare readonly change?: Change
  #isTransient: boolean | undefined

  constructor(code: ErrorCode, message: string, options?: ErrorOptions)
  /** @internal */
  constructor(code: ErrorCode, message: string, options?: ServiceErrorOptions)
  constructor(code: ErrorCode, message: string, { evidence, retryAfterMs, cause, fix }: ServiceErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause: withoutPayload(cause) })
    this.code = code
    const known = Object.entries(evidence ?? {}).filter((entry): entry is [string, string] => entry[1] !== undefined)
    if (known.length > 0) this.evidence = Object.fromEntries(known.map(([name, value]) => [name, printable(value)]))
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs
    setFix(this, { text: fix ?? '' })
  }

  /** `instanceof ServiceError` is true for an error of any copy of this class. Subclasses keep the normal test. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return this === ServiceError ? isServiceError(value) : Function.prototype[Symbol.hasInstance].call(this, value)
  }

  /** @internal */
  get [mark](): true {
    return true
  }

  /** `AbortError` for a call that its caller canceled, as SDKs expect. Otherwise `ServiceError`. */
  override get name(): 'ServiceError' | 'AbortError' {
    return this.code === 'TOKEN_CANCELLED' ? 'AbortError' : 'ServiceError'
  }

  /** Whether the same call may succeed later without any change. */
  get isTransient(): boolean {
    return this.#isTransient ?? (transientCodes.has(this.code) || transientNames.has(this.evidence?.['error'] ?? ''))
  }

  /** A copy with the stack of this call, because several callers can wait for one attempt, and with changes. @internal */
  again({ code = this.code, note, evidence, rename = (text) => text }: ErrorChanges = {}): ServiceError {
    const message = note === undefined ? this.message : `${this.message}; ${note}`
    const copy = new ServiceError(code, rename(message), {
      retryAfterMs: this.retryAfterMs,
      evidence: { ...this.evidence, ...evidence },
      fix: code === this.code ? rename(this.fix) : undefined,
    })
    // The constructor of this error has removed the payload of its cause.
    if ('cause' in this) Object.defineProperty(copy, 'cause', { value: this.cause, configurable: true, writable: true })
    if (code === this.code) copy.#isTransient = this.isTransient
    return copy
  }

  /** For a structured log. */
  toJSON(): Readonly<Record<string, unknown>> {
    const { name, code, message, fix, change, isTransient, retryAfterMs, evidence } = this
    return { name, code, message, fix, change, isTransient, retryAfterMs, evidence }
  }
}

/** What is wrong with an argument, and what to pass. */
export interface ArgumentProblem {
  readonly message: string
  readonly fix: string
}

/** @param must The text after `must be`. @param given The value, safe to show. @param nearest What the caller probably meant. */
export function mustBe(name: string, must: string, given: string, nearest?: string): ArgumentProblem {
  return nearest === undefined
    ? { message: `${name} must be ${must}, but is ${given}`, fix: `Pass ${must} as ${name}.` }
    : {
        message: `${name} is ${given}; did you mean ${nearest}? It must be ${must}`,
        fix: `Pass ${nearest} as ${name}.`,
      }
}

/** The error of arguments, with all of their problems. */
export function argumentError(...problems: readonly ArgumentProblem[]): ServiceError {
  const all = (part: keyof ArgumentProblem, separator: string) => problems.map((each) => each[part]).join(separator)
  return new ServiceError('ARGUMENT_INVALID', all('message', ', '), { fix: all('fix', ' ') })
}

/** Adds the code and the fix to the stack, because Node prints the stack of an uncaught error. */
export function showInStack(error: ServiceError): void {
  const { name, code, message, fix, stack = '' } = error
  if (stack.startsWith(`${name} [`)) return
  const frames = stack.indexOf('\n    at ', message.length)
  const shown = `${name} [${code}]: ${message}${fix === '' ? '' : `\nFix: ${fix}`}${frames < 0 ? '' : stack.slice(frames)}`
  Object.defineProperty(error, 'stack', { value: shown, configurable: true, writable: true })
}

/** Sets the fix of an error: where it is thrown, or at the edge of the library by `publicError`. It isn't enumerable, because it is derived. */
export function setFix(
  error: ServiceError,
  { text, change }: { readonly text: string; readonly change?: Change },
): void {
  Object.defineProperties(error, {
    fix: { value: text, configurable: true },
    ...(change !== undefined && { change: { value: change, configurable: true } }),
  })
}

/**
 * The safe part of the error that caused a ServiceError: its kind, its code, and the message of a system error. Errors of libraries carry
 * the request with its body, and texts that quote the other side; none of that may be printed, at any depth.
 */
function withoutPayload(cause: unknown, depth = 0): unknown {
  if (isServiceError(cause)) return cause
  const { name, code, isSystem, message, inner } = partsOf(cause)
  if (name === undefined) return undefined
  const kept = new Error(isSystem ? message : `${name}, whose text is not kept`)
  kept.name = name
  // The original stack begins with the message.
  kept.stack = `${kept.name}: ${kept.message}`
  if (code !== undefined) Object.assign(kept, { code })
  const next = depth < 5 ? withoutPayload(inner, depth + 1) : undefined
  return next === undefined ? kept : Object.assign(kept, { cause: next })
}

/** The name and the code of another program's error, or the kind of the value. Its text may contain a secret. */
export function nameOfError(error: unknown): string {
  const { name, code } = partsOf(error)
  if (name === undefined) return 'a value that is not an Error'
  return code === undefined ? name : `${name} (${code})`
}

/** Reads an error that may be a proxy, or have getters that throw. Empty if it isn't an Error, or can't be read. */
function partsOf(error: unknown) {
  try {
    if (!(error instanceof Error)) return {}
    const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
    return {
      name: /^\w{1,64}$/.test(error.name) ? error.name : 'Error',
      code: /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? code : undefined,
      isSystem: 'syscall' in error,
      message: error.message,
      inner: error instanceof AggregateError ? (error.errors as unknown[])[0] : error.cause,
    }
  } catch {
    return {}
  }
}

/** Whether a value is a {@link ServiceError} of any copy of the library in this process. A canceled call is one too. */
export function isServiceError(value: unknown): value is ServiceError {
  try {
    return typeof value === 'object' && value !== null && mark in value
  } catch {
    // A revoked proxy.
    return false
  }
}

/** A change as one line to copy: `export NAME=value`, or a file with its field. `undefined` for a change without a value. */
export function lineOfChange(change: Change<string> | undefined): string | undefined {
  if (change?.value === undefined) return undefined
  if ('variable' in change) return `export ${change.variable}=${quoteShell(change.value)}`
  const field = change.field.split('.').at(-1) ?? ''
  return `${change.file}: ${JSON.stringify(field)}: ${JSON.stringify(change.value)}`
}

/** A problem that an operator should know, and that does not stop the service. */
export interface Warning {
  readonly code: WarningCode
  readonly message: string
  /** Dotted path of the profile's field, if the warning is about one. */
  readonly field?: string
  /** Shell commands that resolve the warning. The message doesn't repeat them. */
  readonly commands?: readonly string[]
}

/** A warning as one text. */
export function describeWarning({ message, commands = [] }: Pick<Warning, 'message' | 'commands'>): string {
  return commands.length === 0 ? message : `${message}: ${commands.join(' && ')}`
}

/** An invalid setting. */
export interface SettingProblem {
  /** The variable, option or key; of two that exclude each other, the first. */
  readonly name: string
  /** The whole sentence, with the name. */
  readonly message: string
}

/** Every invalid setting at once. */
export class InvalidSettingsError extends ServiceError {
  readonly problems: readonly SettingProblem[]

  constructor(code: 'SETTING_INVALID' | 'REFERENCE_UNRESOLVED', problems: readonly SettingProblem[]) {
    super(code, problems.map(({ message }) => message).join('\n'))
    this.problems = problems
  }
}

/** Refuses values, by their names, that a deployment tool should have replaced, such as `$(NAME)`: the service would send them literally. */
export function refuseReferences(
  values: Readonly<Record<string, string | undefined>>,
  { areSecrets }: { readonly areSecrets: boolean } = { areSecrets: false },
): void {
  const problems = Object.entries(values).flatMap(([name, value]) => {
    // A real secret may look like most of these forms, such as `${…}`.
    if (value === undefined || (areSecrets && !isNeverSecret(value))) return []
    const problem = referenceProblem(value)
    return problem === undefined ? [] : { name, message: `${name} ${problem}` }
  })
  if (problems.length > 0) throw new InvalidSettingsError('REFERENCE_UNRESOLVED', problems)
}
