import { afterEach, expect, test, vi } from 'vitest'
import { identify, watchFiles } from '../../src/server/watch-files.ts'
import { longestWait } from '../support/every-run.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const directory = useTemporaryDirectory()
afterEach(() => vi.useRealTimers())

test('a change counts once, when the next poll finds the same: a file is not read halfway', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const files = [directory.write('tls.crt', 'old'), directory.write('tls.key', 'old')]
  const polls: boolean[] = []
  const stop = watchFiles(files, await identify(files), (hasChanged) => void polls.push(hasChanged))
  const poll = async () => {
    vi.advanceTimersByTime(500)
    const count = polls.length
    await vi.waitUntil(() => polls.length > count, longestWait)
    // The poll ends after its callback.
    await new Promise((resolve) => setImmediate(resolve))
  }
  await poll()
  directory.write('tls.key', 'half')
  await poll()
  directory.write('tls.key', 'half of the key')
  await poll()
  directory.write('tls.crt', 'the certificate')
  for (let count = 0; count < 3; count++) await poll()
  stop()
  expect(polls).toEqual([false, false, false, false, true, false])
})
