import { describe, expect, test } from 'vitest'
import { diagnose, useEnclaveService } from '../support/serve-enclave.ts'
import { startBrowser } from '../support/browser.ts'
import { openPage, overflowOf } from './open-page.ts'
import { samples } from '../support/sample-reports.ts'

const browser = await startBrowser()
const open = useEnclaveService()

/** Self-signed by the enclave's own authority, which the browser does not know. */
const trusting = { ignoreHTTPSErrors: true }

test('the samples of the other tests have the checks of the product, and its page is at most 40 kB', async () => {
  const { serve } = await open()
  const service = await serve('clientSecret', { PLATFORM_STORAGE_ACCOUNT: 'account', PLATFORM_KEY_VAULT: 'vault' })
  const report = await diagnose(service)
  const ids = new Set(report.checks.map(({ id }) => id))
  for (const sample of Object.values(samples)) {
    expect(sample.report.checks.map(({ id }) => id).filter((id) => !ids.has(id))).toEqual([])
  }
  expect((await (await service.request('/')).arrayBuffer()).byteLength).toBeLessThanOrEqual(40_000)
})

describe.skipIf(browser === undefined)(
  'the page of the real service (skipped where no browser starts: see the reason above)',
  () => {
    const visit = async (port: number, options = {}) => {
      if (browser === undefined) throw new Error('No browser')
      return openPage(browser, `http://localhost:${port}/`, options)
    }

    test('is green when a token was acquired, with one request, no complaint and no overflow', async () => {
      const { serve } = await open()
      const { page, problems } = await visit((await serve('clientSecret')).port)
      await expect.poll(() => page.title()).toMatch(/^OK/)
      expect(problems).toEqual([])
      expect(await overflowOf(page)).toBe(0)
    })

    test('waits for a device code, and turns green by itself once the person approves on the page of the cloud', async () => {
      const { serve } = await open()
      const { page } = await visit((await serve('deviceCode')).port)
      expect(await page.title()).toMatch(/^Waiting for sign-in/)
      const userCode = await page
        .getByText(/^[A-Z0-9]{9}$/)
        .first()
        .textContent()
      const address = await page.getByRole('link', { name: /deviceauth/ }).getAttribute('href')
      const person = await browser?.newContext(trusting)
      const approval = await person?.newPage()
      await approval?.goto(address ?? '')
      await approval?.fill('input', userCode ?? '')
      await approval?.click('button')
      await approval?.click('button:has-text("Approve")')
      await expect.poll(() => page.title()).toMatch(/^OK/)
      await person?.close()
    })
  },
)
