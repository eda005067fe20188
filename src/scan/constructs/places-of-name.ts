/** One place of a name in a program. */
export interface NamePlace {
  /** What stands before it, without spaces. */
  readonly before: string
  readonly after: string
}

/** How much of a program around a name is searched. */
const reach = 1200

/** A name with more places is no name of options. */
const mostPlaces = 100

/** Every place of a name as a whole word, or none where there are too many. */
export function placesOfName(source: string, name: string): readonly NamePlace[] {
  const places: NamePlace[] = []
  if (name === '') return []
  for (let at = source.indexOf(name); at !== -1; at = source.indexOf(name, at + name.length)) {
    const end = at + name.length
    if (/[\w$]/.test(source.charAt(at - 1)) || /[\w$]/.test(source.charAt(end))) continue
    places.push({ before: source.slice(Math.max(0, at - 60), at).trimEnd(), after: source.slice(end, end + reach) })
    if (places.length > mostPlaces) return []
  }
  return places
}

/** The text between the first open brace and its closing one, or nothing where another brace opens before, or a statement ends. */
export function plainBody(text: string): string | undefined {
  const open = text.indexOf('{')
  const close = text.indexOf('}', open)
  if (open === -1 || close === -1 || text.slice(0, open).includes(';')) return undefined
  const body = text.slice(open + 1, close)
  return body.includes('{') ? undefined : body
}
