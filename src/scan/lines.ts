/** The lines of a text with one character a byte. Places are counted in UTF-16 code units, from 1. */
export class Lines {
  readonly #text: string
  /** Outside of the heap: a file of line breaks has millions. */
  readonly #starts: Uint32Array
  readonly #linesBefore: number
  readonly #columnsBefore: number

  /** @param linesBefore Lines of the file before this part. @param columnsBefore Characters of its first line before this part. */
  constructor(text: string, linesBefore: number = 0, columnsBefore: number = 0) {
    this.#text = text
    this.#linesBefore = linesBefore
    this.#columnsBefore = columnsBefore
    let count = 1
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
    this.#starts = new Uint32Array(count)
    let row = 1
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts[row++] = at + 1
  }

  /** The line of a place, counted from 0. */
  rowOf(at: number): number {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#starts[middle] ?? 0) <= at) low = middle
      else high = middle - 1
    }
    return low
  }

  /** Where a line begins. @param row Counted from 0. */
  startOf(row: number): number {
    return this.#starts[row] ?? this.#text.length
  }

  /** The line of a place and where in it the place is, both counted from 0, in characters of the text. */
  offsetOf(at: number): { readonly row: number; readonly column: number } {
    const row = this.rowOf(at)
    return { row, column: at - this.startOf(row) }
  }

  /** How long the longest line is. */
  longest(): number {
    let longest = this.#text.length - (this.#starts.at(-1) ?? 0)
    for (let row = 1; row < this.#starts.length; row++)
      longest = Math.max(longest, (this.#starts[row] ?? 0) - (this.#starts[row - 1] ?? 0))
    return longest
  }

  endOfLineAt(at: number): number {
    const end = this.#text.indexOf('\n', at)
    return end === -1 ? this.#text.length : end
  }

  /** The printable part of the line around a place. */
  lineAt(at: number): string {
    const from = this.#viewStart(at)
    return decode(this.#text.slice(from, Math.min(this.endOfLineAt(at), at + viewLength)).replace(/\r$/, ''))
  }

  /** Where the place is in {@link lineAt}. */
  offsetInLine(at: number): number {
    return decode(this.#text.slice(this.#viewStart(at), at)).length
  }

  placeOf(at: number): { readonly line: number; readonly column: number } {
    const row = this.rowOf(at)
    const start = this.startOf(row)
    const before = at - start > viewLength ? at - start : decode(this.#text.slice(start, at)).length
    return { line: this.#linesBefore + row + 1, column: before + 1 + (row === 0 ? this.#columnsBefore : 0) }
  }

  #viewStart(at: number): number {
    return Math.max(this.startOf(this.rowOf(at)), at - viewLength)
  }
}

/** Characters of a line on either side of a place. */
const viewLength = 2000

function decode(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
