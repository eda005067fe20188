import type { BrowserContextOptions, Page, Route } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import type { PageInput } from '../../src/page/page.ts'
import { startBrowser } from '../support/browser.ts'
import { plainHost } from '../support/chromium.ts'
import { accessibilityProblems, openPage, unfoldAll } from './open-page.ts'
import { servePage } from './page-server.ts'
import { samples } from '../support/sample-reports.ts'

const browser = await startBrowser()
const server = await servePage()
afterAll(() => server.close())

/** The requests of the page, without the requests of the tests. */
const polls = () => server.requests.filter((request) => request !== 'GET /empty')

/** Opens a page whose clock stands still until the test moves it. */
async function openStill(input: PageInput | readonly PageInput[], path = '', options: BrowserContextOptions = {}) {
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
  test('the time that is left to sign in counts down', async () => {
    const { page } = await openStill({ ...samples.pending, now: new Date('2026-11-21T02:22:58.000Z') })
    const timer = page.getByRole('timer')
    expect(await timer.innerText()).toBe('in 2 min')
    await pass(page, 7)
    expect(await timer.innerText()).toBe('in 87 s')
  })

  test('a page that did not change is not sent again, and its ages go on', async () => {
    const { page } = await openStill(samples.failed)
    const sent: number[] = []
    page.on('response', (response) => sent.push(response.status()))
    await pass(page, 25)
    await expect.poll(polls).toEqual(['GET /', 'GET /'])
    await expect.poll(() => sent.filter((status) => status === 304).length).toBe(2)
    expect(await page.locator('.facts').innerText()).toContain('25 s ago')
  })

  test('a newer page takes over without a reload: folds, focus and selection stay', async () => {
    const { report } = samples.failed
    const newer = { ...samples.failed, report: { ...report, checkedAt: '2026-11-21T02:11:00.000Z' } }
    const { page, problems } = await openStill(samples.failed)
    await page.evaluate('window.kept = true')
    const fold = page.locator('.schedule summary')
    await fold.focus()
    await page.keyboard.press('Enter')
    await page.evaluate('getSelection().selectAllChildren(document.querySelector(".message"))')
    const selected = await page.evaluate<string>('String(getSelection())')
    server.show({ ...newer, now: new Date('2026-11-21T02:31:00.000Z') })
    await page.clock.runFor(11_000)
    await page.locator('.facts').getByText('02:11:00').waitFor()
    expect(await fold.innerText()).toContain('31 min ago')
    expect(await page.locator('.schedule').getByText('platform-commercial').isVisible()).toBe(true)
    expect(await page.evaluate('document.activeElement === document.querySelector(".schedule summary")')).toBe(true)
    expect(selected).toContain('Enclave Root CA 2')
    expect(await page.evaluate('String(getSelection())')).toBe(selected)
    expect(await page.evaluate('window.kept')).toBe(true)
    expect(problems).toEqual([])
  })

  test('a page of another verdict takes over with all its parts, and back, and an open fold stays open', async () => {
    const { page, problems } = await openStill(samples.ok)
    const open = async (state: 'ok' | 'failed') => {
      server.show(samples[state])
      await page.clock.runFor(11_000)
      await page.locator(`body.${state}`).waitFor()
      const other = await openPage(browser, server.url)
      const text = (each: Page) => each.locator('main').innerText()
      await unfoldAll(page)
      await unfoldAll(other.page)
      expect((await text(page)).replaceAll(/now|\d+ s ago/g, '')).toBe((await text(other.page)).replaceAll('now', ''))
      expect(await page.title()).toBe(await other.page.title())
      const icon = (each: Page) => each.locator('link[rel=icon]').getAttribute('href')
      expect(await icon(page)).toBe(await icon(other.page))
    }
    await page.locator('.profile summary').click()
    await open('failed')
    expect(await page.locator('.profile').getAttribute('open')).not.toBeNull()
    await open('ok')
    expect(problems).toEqual([])
  })

  test('a page of another build is loaded anew, with its own script', async () => {
    const { page } = await openStill(samples.ok)
    await page.evaluate('window.kept = true')
    server.show(samples.failed)
    const withAnotherScript = async (route: Route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replace('<script>', '<script>/**/') })
    }
    await page.route(server.url, withAnotherScript, { times: 1 })
    await page.clock.runFor(11_000)
    await page.getByRole('heading', { level: 1, name: 'Failed' }).waitFor()
    expect(await page.evaluate('window.kept')).toBeUndefined()
  })

  test.each(['light', 'dark'] as const)(
    'no response for 15 s is the verdict until the next (%s)',
    async (colorScheme) => {
      const { page } = await openStill(samples.ok, '', { colorScheme })
      const heading = page.getByRole('heading', { level: 1 })
      server.show(undefined)
      await page.clock.runFor(14_000)
      expect(await heading.innerText()).toBe('OK')
      await page.clock.runFor(2000)
      expect(await heading.innerText()).toBe('No response')
      expect(await page.title()).toBe('No response · was OK · platform-us-government')
      await page.clock.runFor(180_000)
      expect(await page.locator('.verdict').innerText()).toMatch(/Last response 3 min ago: OK/)
      expect(await page.getByRole('status').textContent()).toBe('The service does not respond.')
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

  test('a run that takes as long as a token attempt is no missing response while the service is healthy', async () => {
    const { page } = await openStill(samples.ok)
    server.show(samples.ok, { slow: true })
    await pass(page, 60)
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('OK')
    expect(server.requests.filter((request) => request.includes('health')).length).toBeGreaterThan(5)
  })

  test('a function key of the address goes with every request and link, and is not in the page', async () => {
    const { page } = await openStill(samples.ok, '?code=a%2Bb%3D&other=1')
    await page.clock.runFor(11_000)
    await expect.poll(polls).toEqual(['GET /?code=a%2Bb%3D&other=1'])
    const link = page.getByRole('link', { name: 'Diagnostics' })
    expect(await link.getAttribute('href')).toBe(`${server.url}api/diagnostics?code=a%2Bb%3D`)
    expect(await page.locator('body').innerText()).not.toContain('a+b=')
  })
})

describe.skipIf(browser === undefined)('a page whose address has several instances', () => {
  const process = (state: 'ok' | 'failed', hostName: string, startedAt = '2026-11-21T01:00:00.000Z'): PageInput => {
    const { [state]: input } = samples
    return { ...input, report: { ...input.report, instance: { hostName, process: '1018', startedAt } } }
  }
  const row = (page: Page) => page.getByRole('list', { name: 'Instances behind this address' }).getByRole('listitem')
  const verdict = (page: Page) => page.getByRole('heading', { level: 1 }).innerText()

  test('shows each once met, with its verdict and age, and stays with the one that failed', async () => {
    const three = [process('ok', 'worker-1'), process('ok', 'worker-2'), process('failed', 'worker-3')]
    const { page, problems } = await openStill(three)
    expect(await row(page).count()).toBe(0)
    await pass(page, 11)
    await expect.poll(() => row(page).count()).toBe(2)
    expect(await verdict(page)).toBe('OK')
    await pass(page, 10)
    await expect.poll(() => verdict(page)).toBe('Failed')
    for (let poll = 0; poll < 6; poll++) {
      await pass(page, 10)
      expect(await verdict(page)).toBe('Failed')
    }
    const since = 'process 1018 since 2026-11-21 01:00:00 UTC'
    const words = await row(page).allInnerTexts()
    expect(words.map((each) => each.replace(/now|\d+ s ago/, 'AGE'))).toEqual([
      `worker-1 ${since}: OK, AGE`,
      `worker-2 ${since}: OK, AGE`,
      `worker-3 ${since}: Failed, AGE`,
    ])
    expect(problems).toEqual([])
    await page.clock.resume()
    expect(await accessibilityProblems(page)).toEqual([])
  })

  test('forgets one that no longer responds', async () => {
    const { page } = await openStill([process('ok', 'worker-1'), process('failed', 'worker-2')])
    await pass(page, 11)
    await expect.poll(() => verdict(page)).toBe('Failed')
    server.show(process('ok', 'worker-1'))
    await pass(page, 50)
    expect(await verdict(page)).toBe('Failed')
    await pass(page, 30)
    await expect.poll(() => verdict(page)).toBe('OK')
    expect(await row(page).count()).toBe(0)
  })

  test('a restart is the same instance: its new verdict is shown at once', async () => {
    const { page } = await openStill(process('failed', 'worker-1'))
    const restarted = process('ok', 'worker-1', '2026-11-21T02:09:58.000Z')
    server.show(restarted)
    await page.clock.runFor(11_000)
    await page.getByRole('heading', { level: 1, name: 'OK' }).waitFor()
    expect(await row(page).count()).toBe(0)
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
      // The policy of the page denies reading the clipboard, so an empty page reads it.
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
    await expect.poll(clipboardText).toContain('verdict: Waiting for sign-in\nchecked: 2026-11-21 02:10:00 UTC\n')
  })
})
