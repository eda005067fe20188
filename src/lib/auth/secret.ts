import { inspect } from 'node:util'

const redacted = '[redacted]'

/** A text that prints as `[redacted]` wherever it is printed: templates, JSON, console and util.inspect. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The text itself, for the one place that needs it. */
  reveal(): string {
    return this.#value
  }

  toString(): string {
    return redacted
  }

  toJSON(): string {
    return redacted
  }

  [inspect.custom](): string {
    return redacted
  }
}

/** The secrets that an object holds, at any depth, as texts: for cutting them out of what others print. */
export function secretsOf(value: unknown): string[] {
  if (value instanceof Secret) return [value.reveal()]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(secretsOf) : []
}
