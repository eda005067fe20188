const redacted = '[redacted]'

/** `inspect.custom` of node:util, by its public name: the types of the library must not need those of Node. */
const inspectCustom: unique symbol = Symbol.for('nodejs.util.inspect.custom')

/** A value that prints as `[redacted]` wherever it is printed: templates, JSON, console and util.inspect. */
export class Secret<T = string> {
  readonly #value: T

  constructor(value: T) {
    this.#value = value
  }

  /** The value itself, for the one place that needs it. */
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

/** The secret texts that an object holds, at any depth: for cutting them out of what others print. */
export function secretsOf(value: unknown): string[] {
  if (value instanceof Secret) {
    const revealed: unknown = value.reveal()
    return typeof revealed === 'string' ? [revealed] : []
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(secretsOf) : []
}
