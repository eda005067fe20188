import type { WriteStream } from 'node:tty'

/** One live line on a terminal; nothing at all elsewhere. */
export interface Progress {
  show(text: string): void
  clear(): void
  /** A whole line that stays, on a terminal or not. */
  say(text: string): void
}

export function createProgress(stream: WriteStream): Progress {
  const erase = () => {
    if (stream.isTTY) stream.write('\r\u001B[2K')
  }
  return {
    show(text) {
      if (stream.isTTY) stream.write(`\r\u001B[2K${text.slice(0, Math.max(0, stream.columns - 1))}`)
    },
    clear: erase,
    say(text) {
      erase()
      stream.write(`${text}\n`)
    },
  }
}
