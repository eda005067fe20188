/** What a schema gives, at every depth read-only and with fields absent, never `undefined`. */
export type Exact<T> = T extends object ? { readonly [K in keyof T]: Exact<Exclude<T[K], undefined>> } : T
