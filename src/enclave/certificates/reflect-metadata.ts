/**
 * The three functions of the Reflect metadata proposal that `tsyringe`, beneath `@peculiar/x509`, insists on at load.
 * Import this before `@peculiar/x509`. An existing implementation is left in place.
 */
type Target = object
type MetadataStore = WeakMap<Target, Map<unknown, unknown>>

interface ReflectMetadata {
  defineMetadata?(key: unknown, value: unknown, target: Target): void
  getOwnMetadata?(key: unknown, target: Target): unknown
  getMetadata?(key: unknown, target: Target): unknown
}

function install(reflect: ReflectMetadata): void {
  const store: MetadataStore = new WeakMap()
  const own = (key: unknown, target: Target): unknown => store.get(target)?.get(key)
  const inherited = (key: unknown, target: Target): unknown => {
    for (let at: Target | null = target; at !== null; at = Object.getPrototypeOf(at) as Target | null) {
      const value = own(key, at)
      if (value !== undefined) return value
    }
    return undefined
  }
  reflect.defineMetadata = (key, value, target) => {
    const entries = store.get(target) ?? new Map<unknown, unknown>()
    store.set(target, entries.set(key, value))
  }
  reflect.getOwnMetadata = own
  reflect.getMetadata = inherited
}

const reflect = Reflect as ReflectMetadata
if (reflect.getMetadata === undefined) install(reflect)
