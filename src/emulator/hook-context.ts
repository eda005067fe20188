/** Adds read-only values to the context of a hook: assigning to them throws, as in the worker. */
export function addReadOnly<T extends object>(fields: T, values: Readonly<Record<string, unknown>>): T {
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(fields, name, {
      enumerable: true,
      get: () => value,
      set() {
        throw new TypeError(`Cannot assign to read only property '${name}'`)
      },
    })
  }
  return fields
}
