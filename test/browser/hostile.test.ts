import { afterAll, describe, expect, test } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { openPage, overflowOf, unfoldAll } from './open-page.ts'
import { servePage } from './page-server.ts'
import { withHostileProfile } from '../support/sample-reports.ts'

const browser = await startBrowser()
const server = await servePage()
afterAll(() => server.close())

const elements = '<img src=x onerror=alert(1)><svg onload=alert(2)><script>alert(3)</script><iframe src=//x></iframe>'
// page.property.test.ts reads the page with any text.
const payloads = {
  markup: `${elements}" onmouseover="alert(1)" x='" autofocus onfocus=alert(2) </title></textarea></style></script><script>alert(1)</script><!--`,
  'addresses and templates': 'javascript:alert(1)\r\n${alert(1)}{{alert(2)}}&lt;script&gt;',
  'a long run': 'A'.repeat(3000),
}

describe.skipIf(browser === undefined)('a hostile text in every field', () => {
  describe.each(Object.entries(payloads))('of %s', (_, payload) => {
    test.each(['failed', 'pending'] as const)('stays text in the state %s', async (status) => {
      server.show(withHostileProfile((path) => `${payload} ${path}`, status))
      const { page, problems } = await openPage(browser, server.url, { viewport: { width: 320, height: 800 } })
      const made = 'img, iframe, object, embed, form, input, [autofocus], [onload], [onerror], [onfocus], [onmouseover]'
      expect(await page.locator(made).count()).toBe(0)
      expect(await page.locator('script').count()).toBe(1)
      await unfoldAll(page)
      expect(await page.locator('a:not([data-api]):not([href^="#"])').count()).toBe(0)
      expect(await overflowOf(page)).toBe(0)
      expect(problems).toEqual([])
      expect(new Set(server.requests)).toEqual(new Set(['GET /']))
    })
  })
})
