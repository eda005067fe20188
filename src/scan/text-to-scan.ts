/** A word that the matcher found in a file. */
export interface WordHit {
  readonly word: number
  readonly end: number
}

/** A file, or a part of a file that is too long to read as a whole. */
export interface TextToScan {
  readonly path: string
  /** One character a byte. */
  readonly text: string
  readonly hits: readonly WordHit[]
  /** Whether this is the whole file: only then its constructs can be read. */
  readonly isWhole: boolean
  /** Lines and characters before this part. */
  readonly linesBefore: number
  readonly columnsBefore: number
}
