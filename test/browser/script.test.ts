import { afterAll, describe, expect, test } from 'vitest'
import type { PageInput } from '../../src/page/page-input.ts'
import { plainHost, startBrowser } from '../support/browser.ts'
import { openPage } from './open-page.ts'
import { servePage } from './page-server.ts'
import { samples } from './sample-reports.ts'

const browser = await startBrowser()
const server = await servePage()
afterAll(() => server.close())

/** Opens a page whose clock stands still until the test moves it. */
async function openStill(input: PageInput, path = '') {
  server.show(input)
  const opened = await openPage(browser, `${server.url}empty`)
  await opened.page.clock.install()
  await opened.page.goto(server.url + path)
  server.requests.length = 0
  return opened
}

describe.skipIf(browser === undefined)('the script of the page', () => {
  test('a page that waits for a sign-in turns green by itself', async () => {
    const { page, problems } = await openStill(samples.pending)
    server.show(samples.ok)
    await page.clock.runFor(6000)
    await page.getByRole('heading', { level: 1, name: 'OK' }).waitFor()
    expect(await page.title()).toBe('OK · platform-us-government')
    expect(server.requests).toEqual(['GET /api/diagnostics', 'GET /'])
    expect(problems).toEqual([])
  })

  test('the time that is left to sign in counts down', async () => {
    const { page } = await openStill(samples.pending)
    expect(await page.getByRole('timer').innerText()).toBe('14:32')
    await page.clock.runFor(3000)
    expect(await page.getByRole('timer').innerText()).toBe('14:29')
    await page.clock.fastForward('20:00')
    expect(await page.getByRole('timer').innerText()).toBe('0:00')
  })

  test('an unchanged state is confirmed without a reload', async () => {
    const { page } = await openStill(samples.failed)
    await page.clock.runFor(61_000)
    await page.getByText('still so at').waitFor()
    expect(server.requests).toEqual(['GET /api/diagnostics'])
  })

  test('a service that no longer answers is said to, and the notice goes when it answers again', async () => {
    const { page } = await openStill(samples.ok)
    server.show(undefined)
    await page.clock.runFor(61_000)
    await page.getByRole('status').getByText('No answer from the service since').waitFor()
    expect(await page.title()).toBe('No answer, was OK · platform-us-government')
    server.show(samples.ok)
    await page.clock.runFor(60_000)
    await page.getByText('still so at').waitFor()
    expect(await page.getByRole('status').innerText()).toBe('')
    expect(await page.title()).toBe('OK · platform-us-government')
  })

  test('a function key of the address goes with every request and link, and is not in the page', async () => {
    const { page } = await openStill(samples.ok, '?code=a%2Bb%3D&other=1')
    await page.clock.runFor(61_000)
    await page.getByText('still so at').waitFor()
    expect(server.requests).toEqual(['GET /api/diagnostics?code=a%2Bb%3D'])
    expect(await page.getByRole('link', { name: 'Profile' }).getAttribute('href')).toBe('api/profile?code=a%2Bb%3D')
    expect(await page.locator('body').innerText()).not.toContain('a+b=')
  })
})

describe.skipIf(browser === undefined)('the copy buttons', () => {
  /** Opens the page of a pending sign-in at a host, and a way to read what was copied. */
  async function openAt(hostname: string) {
    server.show(samples.pending)
    const url = new URL(server.url)
    url.hostname = hostname
    const { page } = await openPage(browser, url.href, { permissions: ['clipboard-read', 'clipboard-write'] })
    const clipboardText = async () => {
      // The page's own policy denies reading the clipboard; an empty page beside it may.
      const reader = await page.context().newPage()
      await reader.goto(`${server.url}empty`)
      return reader.evaluate('navigator.clipboard.readText()')
    }
    return { page, clipboardText }
  }

  // Over plain http the browser has no clipboard interface, and the script selects and copies as a person would.
  test.each(['127.0.0.1', plainHost])('at %s copy the code and the support report', async (hostname) => {
    const { page, clipboardText } = await openAt(hostname)
    await page.getByRole('button', { name: 'Copy the code' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await clipboardText()).toBe('HJ7K-2QXP')
    await page.bringToFront()
    await page.getByRole('button', { name: 'Copy the text' }).click()
    await expect.poll(clipboardText).toContain('state: Sign-in needed\nchecked: 2026-11-21 02:10:00 UTC\n')
  })
})
