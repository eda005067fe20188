import { afterAll, describe, expect, test } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { openPage, overflowOf } from './open-page.ts'
import { servePage } from './page-server.ts'
import { samples } from '../support/sample-reports.ts'
import { renderPage } from '../../src/page/page.ts'
import { httpFunction, useServers } from '../support/use-servers.ts'
import { diagnose, useEnclaveService } from '../support/serve-enclave.ts'

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
      '[getComputedStyle(document.querySelector("h1 svg")).fill, getComputedStyle(document.body).color]',
    )
    expect(icon).toBe(text)
  })
})

const start = useServers()

test.skipIf(browser === undefined)('a key that is typed opens the page, and is in no address', async () => {
  const key = 'a+key%20of-16-characters'
  const { html: body, headers } = renderPage({ ...samples.failed, now: new Date() })
  const response = async () => ({ status: 200, headers, body })
  const home = httpFunction('home', response, { path: '', authLevel: 'function' })
  const server = await start({ functions: [home] }, { hostname: '127.0.0.1', key })
  const { page } = await openPage(browser, server.url)
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.getByLabel('Key').fill('another key of some length')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('output').innerText()).toBe('The key is wrong.')
  await page.getByLabel('Key').fill(key)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Failed', level: 1 }).waitFor()
  // Style and script of the page work under the policy of the page that asked.
  expect(await page.evaluate('getComputedStyle(document.querySelector(".verdict")).display')).toBe('grid')
  await page.locator('summary', { hasText: 'Support report' }).click()
  await page.getByRole('button', { name: 'Copy the text' }).click()
  await expect.poll(() => page.getByRole('button', { name: /Copied|Selected/ }).count()).toBe(1)
  expect(requests.filter((url) => url.includes('key'))).toEqual([])
  expect(page.url()).toBe(`${server.url}/`)
  await page.goto(`${server.url}/`)
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('This service needs a key')
})

const open = useEnclaveService()

test('the samples of the other tests have the checks of the product', async () => {
  const { serve } = await open()
  const service = await serve('clientSecret', { PLATFORM_STORAGE_ACCOUNT: 'account', PLATFORM_KEY_VAULT: 'vault' })
  const report = await diagnose(service)
  const ids = new Set(report.checks.map(({ id }) => id))
  for (const sample of Object.values(samples))
    expect(sample.report.checks.map(({ id }) => id).filter((id) => !ids.has(id))).toEqual([])
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
