/** Whether a JSON value is an object, and no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A copy of the own values of an object, without a prototype that could add others. */
export function ownCopy<T extends object>(value: T): T {
  return Object.assign(Object.create(null) as T, value)
}

/** The value at a dotted path of any JSON document; `undefined` when a step is missing or no object. */
export function valueAt(document: unknown, path: string): unknown {
  let value = document
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

/** The text at a dotted path; `undefined` if the value isn't a text. */
export function textAt(document: unknown, path: string): string | undefined {
  const value = valueAt(document, path)
  return typeof value === 'string' ? value : undefined
}

/** The texts of a document by their dotted paths, in its order; a member of a list has its position as the last part of the path. */
export function textsOf(value: unknown, prefix = ''): (readonly [path: string, text: string])[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]: [string, unknown]) => {
    const path = `${prefix}${key}`
    return typeof each === 'string' ? [[path, each] as const] : textsOf(each, `${path}.`)
  })
}

/** The value of a JSON text; `undefined` when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a text begins as an object or array of JSON, and ends too early. */
export function isCutJson(text: string): boolean {
  if (!/^\s{0,100}[[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return false
  } catch (error) {
    // V8 words the end of the text in three ways; the last names a position at the end.
    const message = String(error)
    return (
      /Unexpected end|Unterminated/.test(message) ||
      Number(/at position (\d+)/.exec(message)?.[1]) >= text.trimEnd().length
    )
  }
}

const colon = /\s*:/y

/**
 * Names that occur more than once in one object of a JSON text, decoded, with the least depth of such an object: parsers differ about which
 * of the values counts.
 *
 * @param text Valid JSON.
 * @param normalize What makes two names equal. Default is their spelling.
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

/** A name without regard to letter case, as the parsers that ignore it do: the long s and the sign of Kelvin are letters to them too. */
export function foldCase(name: string): string {
  return name.toUpperCase().toLowerCase()
}

/** The output type of a schema, read-only at every depth, with fields absent, never `undefined`. */
export type Exact<T> = T extends object ? { readonly [K in keyof T]: Exact<Exclude<T[K], undefined>> } : T
