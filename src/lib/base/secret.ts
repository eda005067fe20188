const redacted = '[redacted]'

/** Reads a secret from a file's bytes. Drops a byte order mark, and the line breaks that editors and `echo` add at the end. */
export function secretInFile(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes)
  let end = text.length
  while (end > 0 && /[\r\n]/.test(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** A mistake that shows in the shape of a secret: no generated secret has quotes or blanks at its ends. */
export function mistakeIn(secret: string): 'quotes' | 'blanks' | undefined {
  const trimmed = secret.trim()
  if (/^(["'`]).*\1$/s.test(trimmed)) return 'quotes'
  return secret === trimmed ? undefined : 'blanks'
}

/** `inspect.custom` of node:util, written out because the library's types must not need the types of Node. */
const inspectCustom: unique symbol = Symbol.for('nodejs.util.inspect.custom')

/** A value that prints as `[redacted]` in templates, JSON, console and `util.inspect`. */
export class Secret<T = string> {
  readonly #value: T

  constructor(value: T) {
    this.#value = value
  }

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

/** Every secret string in an object, at any depth, so that it can be redacted elsewhere. */
export function secretsOf(value: unknown): string[] {
  if (value instanceof Secret) {
    const revealed: unknown = value.reveal()
    return typeof revealed === 'string' ? [revealed] : []
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(secretsOf) : []
}
