/** Whether a JSON value is an object, and no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
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

/** The value of a JSON text; `undefined` when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Names that stand more than once in the outermost object of a JSON text, in lower case. Names are compared decoded and without regard to
 * letter case: parsers differ about which of the values counts.
 *
 * @param text Valid JSON.
 */
export function repeatedNames(text: string): ReadonlySet<string> {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  let depth = 0
  for (const [token, string, colon] of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[[\]{}]/g)) {
    if (string === undefined) depth += token === '{' || token === '[' ? 1 : -1
    if (string === undefined || colon === undefined || depth !== 1) continue
    const name = String(JSON.parse(string)).toLowerCase()
    if (seen.has(name)) repeated.add(name)
    seen.add(name)
  }
  return repeated
}
