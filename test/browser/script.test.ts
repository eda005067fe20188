import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import type { PageInput } from '../../src/page/page-input.ts'
import { startBrowser } from '../support/browser.ts'
import { plainHost } from '../support/chromium.ts'
import { accessibilityProblems, openPage } from './open-page.ts'
import { servePage } from './page-server.ts'
import { samples } from '../support/sample-reports.ts'

const browser = await startBrowser()
const server = await servePage()
afterAll(() => server.close())

/** What the page asked the server for, without what the tests did. */
const looks = () => server.requests.filter((request) => request !== 'GET /empty')

/** Opens a page whose clock stands still until the test moves it. */
async function openStill(input: PageInput, path = '', options: BrowserContextOptions = {}) {
  server.show(input)
  const opened = await openPage(browser, `${server.url}empty`, options)
  await opened.page.clock.install({ time: 0 })
  await opened.page.clock.pauseAt(1000)
  await opened.page.goto(server.url + path)
  server.requests.length = 0
  return opened
}

/** Lets time pass for the page second by second, and for each a moment for the answers of the real server. */
async function pass(page: Page, seconds: number) {
  for (let second = 0; second < seconds; second++) {
    await page.clock.runFor(1000)
    await page.evaluate('fetch("empty").catch(() => {})')
  }
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

  test('an unchanged state is looked at again and again without a reload, and its age ticks', async () => {
    const { page } = await openStill(samples.failed)
    await pass(page, 25)
    await expect.poll(looks).toEqual(['GET /api/diagnostics', 'GET /api/diagnostics'])
    expect(await page.locator('.facts').innerText()).toContain('25 s ago')
    await page.clock.runFor(100_000)
    expect(await page.locator('.facts').innerText()).toContain('2 min ago')
  })

  test('pointing at a bar of the history tells its time, verdict and code', async () => {
    const { page } = await openStill(samples.ok)
    const box = await page.locator('.strip').boundingBox()
    const at = async (bar: number) => {
      await page.mouse.move((box?.x ?? 0) + ((bar + 0.3) * (box?.width ?? 0)) / 96, (box?.y ?? 0) + 28)
      return page.locator('.axis summary').innerText()
    }
    expect(await at(40)).toBe('12:10 UTC Failed AUTHORITY_UNTRUSTED')
    expect(await at(95)).toBe('01:55 UTC OK')
    await page.mouse.move(0, 0)
    expect(await page.locator('.axis summary').innerText()).toBe('90 OK, 1 warning, 5 failed')
  })

  test('a newer picture is loaded, unless somebody is reading this one', async () => {
    const later = { ...samples.ok, report: { ...samples.ok.report, checkedAt: '2026-11-21T02:11:00.000Z' } }
    const { page } = await openStill(samples.ok)
    server.show(later)
    await page.clock.runFor(11_000)
    const shown = page.locator('.facts').getByText('02:11:00')
    await shown.waitFor()
    await page.keyboard.press('Tab')
    server.show(samples.ok)
    await pass(page, 25)
    expect(new Set(looks())).toEqual(new Set(['GET /api/diagnostics']))
    expect(await shown.isVisible()).toBe(true)
  })

  test.each(['light', 'dark'] as const)(
    'no answer for 15 s is the heading, with the last state and its age, until it answers again (in %s)',
    async (colorScheme) => {
      const { page } = await openStill(samples.ok, '', { colorScheme })
      const heading = page.getByRole('heading', { level: 1 })
      server.show(undefined)
      await page.clock.runFor(14_000)
      expect(await heading.innerText()).toBe('OK')
      await page.clock.runFor(2000)
      expect(await heading.innerText()).toBe('NO ANSWER')
      expect(await page.title()).toBe('NO ANSWER · was OK · platform-us-government')
      await page.clock.runFor(180_000)
      expect(await page.locator('.verdict').innerText()).toMatch(/Last seen 3 min ago: OK/)
      expect(await page.getByRole('status').textContent()).toBe('The service does not answer.')
      // The rules wait with the page's timers.
      await page.clock.resume()
      expect(await accessibilityProblems(page)).toEqual([])
      server.show(samples.ok)
      await page.clock.runFor(11_000)
      await page.getByRole('heading', { level: 1, name: 'OK' }).waitFor()
      expect(await page.getByRole('status').textContent()).toBe('')
      expect(await page.title()).toBe('OK · platform-us-government')
    },
  )

  test('a look that takes as long as a token attempt is no missing answer while the service is healthy', async () => {
    const { page } = await openStill(samples.ok)
    server.show(samples.ok, { slow: true })
    await pass(page, 60)
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('OK')
    expect(server.requests.filter((request) => request.includes('health')).length).toBeGreaterThan(5)
  })

  test('a code with a null character or half a letter in it does not make the page reload for ever', async () => {
    const { report } = samples.pending
    const signIn = {
      userCode: 'A\0B\uD800',
      verificationUri: 'https://l.example/',
      expiresOn: '2026-11-21T02:24:32.000Z',
    }
    const { page } = await openStill({ ...samples.pending, report: { ...report, token: { ...report.token, signIn } } })
    await pass(page, 16)
    expect(looks().length).toBeGreaterThan(1)
    expect(server.requests).not.toContain('GET /')
    expect(await page.locator('#user-code').innerText()).toBe('AU+0000BU+D800')
  })

  test('a function key of the address goes with every request and link, and is not in the page', async () => {
    const { page } = await openStill(samples.ok, '?code=a%2Bb%3D&other=1')
    await page.clock.runFor(11_000)
    await expect.poll(looks).toEqual(['GET /api/diagnostics?code=a%2Bb%3D'])
    expect(await page.getByRole('link', { name: 'Diagnostics' }).getAttribute('href')).toBe(
      'api/diagnostics?code=a%2Bb%3D',
    )
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
    await page.getByText('Support report').click()
    await page.getByRole('button', { name: 'Copy the text' }).click()
    await expect.poll(clipboardText).toContain('state: Sign-in needed\nchecked: 2026-11-21 02:10:00 UTC\n')
  })
})
