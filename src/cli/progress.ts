import { elide } from './text.ts'

/** A stream to write to, which may be a terminal. */
export interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** One live line on a terminal, and no output elsewhere. */
export interface Progress {
  show(text: string): void
  clear(): void
  /** Writes a permanent line, on a terminal or not. */
  say(text: string): void
}

const eraseLine = '\r\u001B[2K'

export function createProgress(stream: Output): Progress {
  let shown = false
  const clear = () => {
    if (shown) stream.write(eraseLine)
    shown = false
  }
  return {
    show(text) {
      if (stream.isTTY !== true) return
      stream.write(eraseLine + elide(text, (stream.columns ?? 80) - 1))
      shown = true
    },
    clear,
    say(text) {
      clear()
      stream.write(`${text}\n`)
    },
  }
}
