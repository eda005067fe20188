import { afterEach, expect, test, vi } from 'vitest'
import { useEnclave } from '../support/use-enclave.ts'
import { callerOf } from './call.ts'

const running = useEnclave()
afterEach(() => vi.restoreAllMocks())

test('a browser that shows the page already learns so by its tag, until the verdict changes', async () => {
  const { cloud: enclave, files } = running
  const call = callerOf(enclave.environment('clientSecret', files))
  const get = async (known?: string) => {
    const response = await call('/', known === undefined ? {} : { 'if-none-match': known })
    return { status: response?.status, etag: response?.headers['etag'] ?? '', html: response?.body ?? '' }
  }
  // The second page says that its token is from the cache.
  await get()
  const shown = await get()
  expect(shown.html).toContain(`data-etag="${shown.etag.replaceAll('"', '&quot;')}"`)
  expect(await get(shown.etag)).toEqual({ status: 304, etag: shown.etag, html: '' })
  // As a page sends that met several instances.
  expect((await get(`"another", ${shown.etag}`)).status).toBe(304)
  await enclave.setFault({ kind: 'refused' }, 'resource-manager')
  const monotonic = performance.now.bind(performance)
  // The cached report is older than a minute then.
  vi.spyOn(performance, 'now').mockImplementation(() => monotonic() + 61_000)
  const failed = await get(shown.etag)
  expect(failed.status).toBe(200)
  expect(failed.html).toMatch(/<title>Failed/)
})
