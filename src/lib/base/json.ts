/** Whether a JSON value is an object and not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Copies an object's own values into an object without a prototype, because another package may have put values on `Object.prototype`. */
export function ownCopy<T extends object>(value: T): T {
  return { __proto__: null, ...value }
}

/** A deeper document would exhaust the stack. No document that this service reads is nested this deep. */
const mostDepth = 16

/** A file of 1 MiB contains fewer. */
const mostValues = 1_000_000

/** Copies data of a caller, as {@link ownCopy} at every depth, without undefined values. @throws {RangeError} for more than 16 levels. */
export function ownData<T>(data: T): T {
  let values = 0
  const copy = (value: unknown, depth: number): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (depth === mostDepth) throw new RangeError(`must be nested at most ${mostDepth} levels deep`)
    if ((values += 1) > mostValues) throw new RangeError(`must contain at most ${mostValues} values`)
    if (Array.isArray(value)) return value.map((each) => copy(each, depth + 1))
    const own: Record<string, unknown> = ownCopy({})
    for (const key of Object.keys(value)) {
      const each = copy((value as Readonly<Record<string, unknown>>)[key], depth + 1)
      if (each !== undefined) own[key] = each
    }
    return own
  }
  return hasNoPrototype(data) ? data : (copy(data, 0) as T)
}

/** Takes the prototypes from a document of this process, in place, because a copy of the cloud files would take a tenth of a cold start. */
export function withoutPrototypes<T>(document: T): T {
  if (typeof document !== 'object' || document === null || hasNoPrototype(document)) return document
  for (const key of Object.keys(document)) withoutPrototypes((document as Readonly<Record<string, unknown>>)[key])
  return Array.isArray(document) ? document : Object.setPrototypeOf(document, null)
}

/** As {@link withoutPrototypes} for each document and each of its groups when it is first read, because a start reads few of the cloud files. */
export function lazilyWithoutPrototypes<T extends object>(documents: T): T {
  return whenRead(documents, (each) =>
    hasNoPrototype(each) ? each : Object.setPrototypeOf(whenRead(each, withoutPrototypes), null),
  )
}

function whenRead<T extends object>(group: T, open: (member: object) => object): T {
  for (const [key, member] of Object.entries(group) as [string, unknown][])
    if (typeof member === 'object' && member !== null)
      Object.defineProperty(group, key, { get: () => open(member), enumerable: true })
  return group
}

function hasNoPrototype(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null
}

/** Freezes a JSON value at every depth. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  Object.values(value).forEach(deepFreeze)
  return Object.freeze(value)
}

type Optional<T> = { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> }
type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] }

/** A copy without the undefined values, which JSON can't contain. */
export function withoutUndefined<T extends object>(values: T): Present<T> & Optional<T> {
  const known = Object.entries(values).filter(([, value]) => value !== undefined)
  return ownCopy(Object.fromEntries(known)) as Present<T> & Optional<T>
}

/** The value at a dotted path of a JSON document. `undefined` if the path doesn't exist. */
export function valueAt(document: unknown, path: string): unknown {
  let value = document
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

/** The string at a dotted path. `undefined` if the value isn't a string. */
export function textAt(document: unknown, path: string): string | undefined {
  const value = valueAt(document, path)
  return typeof value === 'string' ? value : undefined
}

/** Every string in a document with its dotted path, in document order. The path of an array's member ends with its index. */
export function textsOf(document: unknown): (readonly [path: string, text: string])[] {
  const texts: [path: string, text: string][] = []
  const collect = (value: unknown, prefix: string): void => {
    if (typeof value !== 'object' || value === null) return
    for (const key of Object.keys(value)) {
      const each = (value as Readonly<Record<string, unknown>>)[key]
      if (typeof each === 'string') texts.push([prefix + key, each])
      else collect(each, `${prefix}${key}.`)
    }
  }
  collect(document, '')
  return texts
}

/** The value of a JSON text, without prototypes. `undefined` if the text isn't JSON, or is nested too deep. */
export function parseJson(text: string): unknown {
  try {
    return withoutPrototypes(JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}

/** Whether a text is the beginning of a JSON object or array, without its end. */
export function isCutJson(text: string): boolean {
  if (!/^\s{0,100}[[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return false
  } catch (error) {
    // V8 has three messages for a text that ends too early. The third gives a position at the end of the text.
    const [message, position] = /Unexpected end|Unterminated|at position (\d+)/.exec(String(error)) ?? []
    return message !== undefined && Number(position ?? Infinity) >= text.trimEnd().length
  }
}

const colon = /\s*:/y

/**
 * Finds names that an object in valid JSON has more than once, because parsers disagree about which of the values counts. Names with the same
 * result of `normalize` are equal. @returns Each decoded name, with the depth of the outermost object that repeats it.
 */
export function repeatedNames(
  text: string,
  normalize: (name: string) => string = (name) => name,
): ReadonlyMap<string, number> {
  const repeated = new Map<string, number>()
  const open: Set<string>[] = []
  let at = 0
  while (at < text.length) {
    const start = at
    const character = text[at++]
    if (character === '{' || character === '[') open.push(new Set())
    else if (character === '}' || character === ']') open.pop()
    if (character !== '"') continue
    while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
    at += 1
    colon.lastIndex = at
    if (!colon.test(text)) continue
    const name = normalize(String(JSON.parse(text.slice(start, at))))
    const seen = open.at(-1)
    if (seen?.has(name) === true) repeated.set(name, Math.min(open.length, repeated.get(name) ?? Infinity))
    seen?.add(name)
  }
  return repeated
}

/** Folds a name as parsers that ignore letter case do: to them the long s (U+017F) is an s, and the Kelvin sign (U+212A) a k. */
export function foldCase(name: string): string {
  return name.toUpperCase().toLowerCase()
}

/** A schema's output type, read-only at every depth. An optional field is absent, never `undefined`. */
export type Exact<T> = T extends object ? { readonly [K in keyof T]: Exact<Exclude<T[K], undefined>> } : T
