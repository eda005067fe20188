import { afterAll, describe, expect, test } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { openPage } from './open-page.ts'
import { servePage } from './page-server.ts'
import { samples } from '../support/sample-reports.ts'

const browser = await startBrowser()
const server = await servePage()
afterAll(() => server.close())

describe.skipIf(browser === undefined)('reading the page', () => {
  test('the first Tab offers to skip to the checks', async () => {
    server.show(samples.failed)
    const { page } = await openPage(browser, server.url)
    const link = page.getByRole('link', { name: 'Skip to the checks' })
    const hidden = await link.boundingBox()
    await page.keyboard.press('Tab')
    const shown = await link.boundingBox()
    expect(hidden?.width).toBe(1)
    expect(shown?.width).toBeGreaterThan(100)
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('checks')
  })

  test('a cell of the matrix opens and shows the row of its check', async () => {
    server.show(samples.ok)
    const { page } = await openPage(browser, server.url)
    const row = page.locator('[id="key-vault.tls"]')
    expect(await row.isVisible()).toBe(false)
    await page.getByRole('row', { name: 'Key vault' }).getByRole('link', { name: 'TLS passed 24 ms' }).click()
    expect(await row.isVisible()).toBe(true)
    expect(await row.evaluate((each) => each.matches(':target'))).toBe(true)
  })

  test('an address with any fragment is a page that goes on looking', async () => {
    server.show(samples.ok)
    const { page, problems } = await openPage(browser, `${server.url}#%`)
    await page.evaluate('location.hash = "#constructor"')
    await page.evaluate('location.hash = "#authority.tls"')
    expect(await page.locator('[id="authority.tls"]').isVisible()).toBe(true)
    expect(problems).toEqual([])
  })

  test('on paper it is black on white without what only a screen can use', async () => {
    server.show({ ...samples.failed, banner: 'SECRET//NOFORN' })
    const { page } = await openPage(browser, server.url, { colorScheme: 'dark' })
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('contentinfo').isVisible()).toBe(false)
    expect(await page.getByText('No proxy variable applies to').first().isVisible()).toBe(true)
    expect(await page.getByText('SECRET//NOFORN').filter({ visible: true }).count()).toBe(2)
    const colors = '(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.body))'
    expect(await page.evaluate(colors)).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
  })

  test('in forced colors every icon keeps its shape in the text’s color', async () => {
    server.show(samples.failed)
    const { page } = await openPage(browser, server.url, { forcedColors: 'active', colorScheme: 'dark' })
    const [icon, text] = await page.evaluate<[string, string]>(
      '[getComputedStyle(document.querySelector("h1 .icon")).fill, getComputedStyle(document.body).color]',
    )
    expect(icon).toBe(text)
  })
})
