import { expect, test } from 'vitest'
import { createTerminal, Raw } from '../../src/cli/terminal.ts'

const hostile = 'name \u001b[2J \u009b31m \u202e ##vso[task.complete] ::error x'
const harmless = 'name \\u001b[2J \\u009b31m \\u202e \\u0023#vso[task.complete] \\u003a:error x'

test.each(['print', 'note', 'show', 'say'] as const)('%s escapes what a terminal or a pipeline obeys', (by) => {
  let written = ''
  const stream = { isTTY: true, columns: 200, write: (text: string) => (written += text) }
  const terminal = createTerminal({ env: {}, stdout: stream, stderr: stream })
  if (by === 'print' || by === 'note') terminal[by](`${hostile}\nnext`)
  else terminal.progress[by](hostile)
  expect(written).toContain(harmless)
  for (const obeyed of ['\u001b[2J', '\u009b', '\u202e', '##vso', '::error']) expect(written).not.toContain(obeyed)
})

/** A packaged command has its own copy of the class. */
class Copy {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

test.each([Raw, Copy])('raw text is printed unchanged', (Text) => {
  let written = ''
  const stream = { write: (text: string) => (written += text) }
  createTerminal({ env: {}, stdout: stream, stderr: stream }).print(new Text(hostile))
  expect(written).toBe(hostile)
})
