const none: Readonly<Record<string, string>> = Object.freeze(Object.create(null) as Record<string, string>)

/** Repeated names are one name, whatever their case, with their values joined by a comma. It has no prototype. */
export function readQuery(search: string): Readonly<Record<string, string>> {
  if (search.length < 2) return none
  const query = Object.create(null) as Record<string, string>
  const names = new Map<string, string>()
  for (const [key, value] of new URLSearchParams(search)) {
    const name = names.get(key.toLowerCase())
    names.set(key.toLowerCase(), name ?? key)
    query[name ?? key] = name === undefined ? value : `${query[name]},${value}`
  }
  return query
}
