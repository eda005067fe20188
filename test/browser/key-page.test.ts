import { expect, test } from 'vitest'
import { renderPage } from '../../src/page/page.ts'
import { startBrowser } from '../support/browser.ts'
import { samples } from '../support/sample-reports.ts'
import { httpFunction, useServers } from '../support/use-servers.ts'
import { openPage } from './open-page.ts'

const browser = await startBrowser()
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
