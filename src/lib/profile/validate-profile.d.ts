/** One violation of the JSON schema, as ajv reports it. */
export interface SchemaError {
  /** JSON pointer of the value. */
  readonly instancePath: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
}

/** The schema phase: whether a document keeps to `cloud-profiles/schema.json`. `errors` holds all violations of the last call. */
export declare const validateProfile: {
  (document: unknown): boolean
  errors?: readonly SchemaError[] | null
}
