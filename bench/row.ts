/** One line of the table. Every figure is a median unless the note says otherwise. */
export interface Row {
  readonly measure: string
  readonly value: number
  readonly unit: Unit
  /** What the value is held against: the ratio is value / reference. */
  readonly reference?: { readonly name: string; readonly value: number }
  readonly target?: Target
  /** How many measurements each figure is the median of. */
  readonly n: number
  readonly note?: string
}

export type Unit = 'ms' | 'µs' | 'requests/s' | 'kB' | 'MB' | 'descriptors'

/** What the target judges: the ratio, or for a row without a reference the value itself. */
export type Target = { readonly atMost: number } | { readonly atLeast: number }

/** The figure that a target judges. */
export function figureOf({ value, reference }: Row): number {
  return reference === undefined ? value : value / reference.value
}

/** Whether the target is met; `undefined` for a row that only informs. */
export function meetsTarget(row: Row): boolean | undefined {
  if (row.target === undefined) return undefined
  const figure = figureOf(row)
  return 'atMost' in row.target ? figure <= row.target.atMost : figure >= row.target.atLeast
}
