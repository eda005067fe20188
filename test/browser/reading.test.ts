import { afterAll, describe, expect, test } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { openPage, overflowOf } from './open-page.ts'
import { servePage } from './page-server.ts'
import { samples } from './sample-reports.ts'

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

  test('on a wall screen checks and profile stand side by side in large type', async () => {
    server.show(samples.failed)
    const { page } = await openPage(browser, server.url, { viewport: { width: 3840, height: 2160 } })
    const checks = await page.getByRole('heading', { name: 'Checks' }).boundingBox()
    const profile = await page.getByRole('heading', { name: 'Profile' }).boundingBox()
    expect(checks?.y).toBe(profile?.y)
    expect(profile?.x).toBeGreaterThan(1500)
    expect(await page.evaluate('parseFloat(getComputedStyle(document.body).fontSize)')).toBeGreaterThan(28)
    expect(await overflowOf(page)).toBe(0)
  })

  test('on paper it is black on white without what only a screen can use', async () => {
    server.show({ ...samples.failed, banner: { text: 'SECRET//NOFORN' } })
    const { page } = await openPage(browser, server.url, { colorScheme: 'dark' })
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('contentinfo').isVisible()).toBe(false)
    expect(await page.getByText('SECRET//NOFORN').filter({ visible: true }).count()).toBe(2)
    const colours = await page.evaluate(
      '(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.body))',
    )
    expect(colours).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
  })

  test('in forced colours every icon keeps its shape in the text’s colour', async () => {
    server.show(samples.failed)
    const { page } = await openPage(browser, server.url, { forcedColors: 'active', colorScheme: 'dark' })
    const [icon, text] = await page.evaluate<[string, string]>(
      '[getComputedStyle(document.querySelector("h1 .icon")).fill, getComputedStyle(document.body).color]',
    )
    expect(icon).toBe(text)
  })
})
