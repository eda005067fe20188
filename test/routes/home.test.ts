import { expect, test } from 'vitest'
import { useEnclaveService } from '../support/serve-enclave.ts'

const open = useEnclaveService()

test('a browser that shows the page already is told so by its tag, until the verdict changes', async () => {
  const { serve, enclave } = await open()
  const service = await serve('clientSecret')
  const get = async (known = '') => {
    const headers = known === '' ? {} : { 'if-none-match': known }
    const response = await service.request('/', { headers })
    return { status: response.status, etag: response.headers.get('etag') ?? '', html: await response.text() }
  }
  // The second page says that its token is from the cache.
  await get()
  const shown = await get()
  expect(shown.html).toContain(`data-etag="${shown.etag.replaceAll('"', '&quot;')}"`)
  expect(await get(shown.etag)).toEqual({ status: 304, etag: shown.etag, html: '' })
  // As a page does that met several instances.
  expect((await get(`"another", ${shown.etag}`)).status).toBe(304)
  await enclave.setFault({ kind: 'refused' }, 'resource-manager')
  await expect.poll(async () => (await get(shown.etag)).status, { interval: 2000 }).toBe(200)
})
