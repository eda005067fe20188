import { closeSync, openSync } from 'node:fs'
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { openSink } from '../../src/cli/server-log.ts'

/** Opens the log over a descriptor that keeps nothing. @param stream What the process has for that descriptor. */
function logInto(stream: Writable): void {
  const descriptor = openSync('/dev/null', 'w')
  try {
    openSink(descriptor, stream)('a line')
  } finally {
    closeSync(descriptor)
  }
}

test.skipIf(process.platform === 'win32')('a write that a host has replaced, as iisnode does, gets the log', () => {
  const written: unknown[] = []
  const stream = new Writable()
  stream.write = (chunk: unknown) => written.push(chunk) > 0
  logInto(stream)
  expect(written).toEqual(['a line\n'])
})

test.skipIf(process.platform === 'win32')(
  'a file gets the log without its stream, which one full disk would end',
  () => {
    const written: string[] = []
    logInto(new Writable({ write: (chunk, _encoding, done) => (written.push(String(chunk)), done()) }))
    expect(written).toEqual([])
  },
)
