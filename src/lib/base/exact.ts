/** The output type of a schema, read-only at every depth, with fields absent, never `undefined`. */
export type Exact<T> = T extends object ? { readonly [K in keyof T]: Exact<Exclude<T[K], undefined>> } : T
