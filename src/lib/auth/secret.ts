const redacted = '[redacted]'

/** `inspect.custom` of node:util. The types of the library must not need those of Node. */
const inspectCustom: unique symbol = Symbol.for('nodejs.util.inspect.custom')

/** A value that prints as `[redacted]` in templates, JSON, console and util.inspect. */
export class Secret<T = string> {
  readonly #value: T

  constructor(value: T) {
    this.#value = value
  }

  /** The value. */
  reveal(): T {
    return this.#value
  }

  toString(): string {
    return redacted
  }

  toJSON(): string {
    return redacted
  }

  [inspectCustom](): string {
    return redacted
  }
}

/** The secret texts in an object, at any depth, for redaction. */
export function secretsOf(value: unknown): string[] {
  if (value instanceof Secret) {
    const revealed: unknown = value.reveal()
    return typeof revealed === 'string' ? [revealed] : []
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(secretsOf) : []
}
