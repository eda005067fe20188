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

test('raw text is printed unchanged', () => {
  let written = ''
  const stream = { write: (text: string) => (written += text) }
  createTerminal({ env: {}, stdout: stream, stderr: stream }).print(new Raw(hostile))
  expect(written).toBe(hostile)
})
