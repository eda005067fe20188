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
  let at = 0
  while (at < text.length) {
    const start = at
    const character = text[at++]
    if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    if (character !== '"') continue
    while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
    at += 1
    if (depth !== 1 || !isBeforeColon(text, at)) continue
    const name = String(JSON.parse(text.slice(start, at))).toLowerCase()
    if (seen.has(name)) repeated.add(name)
    seen.add(name)
  }
  return repeated
}

const colon = /\s*:/y

function isBeforeColon(text: string, at: number): boolean {
  colon.lastIndex = at
  return colon.test(text)
}
