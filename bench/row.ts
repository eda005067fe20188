/** One line of the table. Every figure is a median unless the note says otherwise. */
export interface Row {
  readonly measure: string
  readonly value: number
  readonly unit: Unit
  /** The value to compare with. The ratio is value / reference. */
  readonly reference?: { readonly name: string; readonly value: number }
  /** The bound of the ratio, or of the value in a row without a reference. */
  readonly atMost: number
  /** The number of measurements of each figure. */
  readonly n: number
  readonly note?: string
}

export type Unit = 'ms' | 'µs' | 'kB' | 'MB'

/** The figure that the bound limits. */
export function figureOf({ value, reference }: Row): number {
  return reference === undefined ? value : value / reference.value
}

export function isMissed(row: Row): boolean {
  return !(figureOf(row) <= row.atMost)
}
