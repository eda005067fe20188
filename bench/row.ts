/** One line of the table. Every figure is a median unless the note says otherwise. */
export interface Row {
  readonly measure: string
  readonly value: number
  readonly unit: Unit
  /** The value to compare with. The ratio is value / reference. */
  readonly reference?: { readonly name: string; readonly value: number }
  readonly target?: Target
  /** The number of measurements of each figure. */
  readonly n: number
  readonly note?: string
}

export type Unit = 'ms' | 'µs' | 'requests/s' | 'kB' | 'MB' | 'descriptors'

/** A limit of the ratio, or of the value in a row without a reference. */
export type Target = { readonly atMost: number } | { readonly atLeast: number }

/** The figure that a target limits. */
export function figureOf({ value, reference }: Row): number {
  return reference === undefined ? value : value / reference.value
}

/** Whether the target is met; `undefined` for a row without a target. */
export function meetsTarget(row: Row): boolean | undefined {
  if (row.target === undefined) return undefined
  const figure = figureOf(row)
  return 'atMost' in row.target ? figure <= row.target.atMost : figure >= row.target.atLeast
}
