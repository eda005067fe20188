import { describe, expect, test } from 'vitest'
import { diagnose, useEnclaveService } from '../support/serve-enclave.ts'
import { startBrowser } from '../support/browser.ts'
import { openPage, overflowOf } from './open-page.ts'
import { samples } from '../support/sample-reports.ts'

const browser = await startBrowser()
const open = useEnclaveService()

test('the samples of the other tests have the checks of the product, and its page is at most 40 kB', async () => {
  const { serve } = await open()
  const service = await serve('clientSecret', { PLATFORM_STORAGE_ACCOUNT: 'account', PLATFORM_KEY_VAULT: 'vault' })
  const report = await diagnose(service)
  const ids = new Set(report.checks.map(({ id }) => id))
  for (const sample of Object.values(samples))
    expect(sample.report.checks.map(({ id }) => id).filter((id) => !ids.has(id))).toEqual([])
  expect((await (await service.request('/')).arrayBuffer()).byteLength).toBeLessThanOrEqual(40_000)
})

describe.skipIf(browser === undefined)('the page of the real service', () => {
  const visit = async (mode: 'clientSecret' | 'deviceCode') => {
    const { serve } = await open()
    return openPage(browser, `http://localhost:${(await serve(mode)).port}/`)
  }

  test('is green when a token was acquired, with one request, no complaint and no overflow', async () => {
    const { page, problems } = await visit('clientSecret')
    await expect.poll(() => page.title()).toMatch(/^OK/)
    expect(problems).toEqual([])
    expect(await overflowOf(page)).toBe(0)
  })

  test('waits for a device code, and turns green by itself once the person approves on the page of the cloud', async () => {
    const { page } = await visit('deviceCode')
    expect(await page.title()).toMatch(/^Waiting for sign-in/)
    const code = page.getByText(/^[A-Z0-9]{9}$/).first()
    const address = await page.getByRole('link', { name: /deviceauth/ }).getAttribute('href')
    // The browser does not know the certificate authority of the enclave.
    const { page: approval } = await openPage(browser, address ?? '', { ignoreHTTPSErrors: true })
    await approval.fill('input', (await code.textContent()) ?? '')
    await approval.click('button')
    await approval.click('button:has-text("Approve")')
    await expect.poll(() => page.title()).toMatch(/^OK/)
  })
})
