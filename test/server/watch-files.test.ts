import { afterEach, expect, test, vi } from 'vitest'
import { identify, watchFiles, type FileWatch } from '../../src/server/watch-files.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const directory = useTemporaryDirectory()
afterEach(() => vi.useRealTimers())

/** @returns A function that polls once, and the events of all polls. */
async function watching(files: readonly string[], onChange: FileWatch['onChange']) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const events: string[] = []
  watchFiles(files, await identify(files), {
    onChange: () => (events.push('read'), onChange()),
    what: 'key',
    log: () => events.push('reported'),
  })
  const poll = async (times = 1) => {
    for (let count = 0; count < times; count++) {
      vi.advanceTimersByTime(500)
      // At its end, a poll starts the timer of the next.
      await vi.waitUntil(() => vi.getTimerCount() === 1, { timeout: 200_000 })
    }
  }
  return { poll, events }
}

test('a change counts once, when the next poll finds the same: a file is not read halfway', async () => {
  const files = [directory.write('tls.crt', 'old'), directory.write('tls.key', 'old')]
  const { poll, events } = await watching(files, () => {})
  await poll()
  directory.write('tls.key', 'half')
  await poll()
  directory.write('tls.key', 'half of the key')
  await poll()
  directory.write('tls.crt', 'the certificate')
  await poll()
  expect(events).toEqual([])
  await poll(3)
  expect(events).toEqual(['read'])
})

test('a change that cannot be read is reported once, and read until it can be', async () => {
  const files = [directory.write('key', 'old')]
  let isMissingDescriptors = true
  const { poll, events } = await watching(files, () => {
    if (isMissingDescriptors) throw Object.assign(new Error('EMFILE'), { code: 'EMFILE' })
  })
  directory.write('key', 'the new one')
  await poll(4)
  expect(events).toEqual(['read', 'reported', 'read', 'read'])
  isMissingDescriptors = false
  await poll(3)
  expect(events.slice(4)).toEqual(['read'])
})
