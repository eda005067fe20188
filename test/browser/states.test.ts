import { afterAll, describe, expect, test } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { accessibilityProblems, openPage, overflowOf } from './open-page.ts'
import { servePage } from './page-server.ts'
import { samples } from './sample-reports.ts'

const browser = await startBrowser()
const server = await servePage()
afterAll(() => server.close())

const states = [
  { state: 'ok', verdict: 'OK', title: 'OK · platform-us-government' },
  { state: 'warning', verdict: 'Works, with warnings', title: 'Warning · platform-us-government' },
  { state: 'failed', verdict: 'Does not work', title: 'Failed · platform-us-government' },
  { state: 'pending', verdict: 'Waiting for sign-in', title: 'Sign-in needed · platform-us-government' },
  { state: 'placeholder', verdict: 'Does not work', title: 'Failed · platform-us-gov-secret' },
] as const

describe.skipIf(browser === undefined).each(states)('the page of the state $state', ({ state, verdict, title }) => {
  test.each([
    ['light', 320],
    ['light', 1280],
    ['dark', 320],
    ['dark', 1280],
  ] as const)('in %s fits %i pixels, is one request and breaks no rule of its policy', async (colorScheme, width) => {
    server.show(samples[state])
    const { page, problems } = await openPage(browser, server.url, { colorScheme, viewport: { width, height: 800 } })
    expect(server.requests).toEqual(['GET /'])
    expect(await page.title()).toBe(title)
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(verdict)
    expect(await overflowOf(page)).toBe(0)
    expect(problems).toEqual([])
  })

  // Contrast depends on the scheme and the size of targets on the width, so two of the four tell all.
  test.each([
    ['light', 1280],
    ['dark', 320],
  ] as const)('in %s at %i pixels has nothing that axe objects to', async (colorScheme, width) => {
    server.show({ ...samples[state], banner: { text: 'CUI' } })
    const options = { colorScheme, viewport: { width, height: 800 }, bypassCSP: true }
    const { page } = await openPage(browser, server.url, options)
    await page.locator('summary').click()
    expect(await accessibilityProblems(page)).toEqual([])
  })

  test('is complete with JavaScript off', async () => {
    server.show(samples[state])
    const { page, problems } = await openPage(browser, server.url, { javaScriptEnabled: false })
    const text = await page.locator('body').innerText()
    const { report, profile } = samples[state]
    const values = profile.fields.map(({ value }) => value)
    const { error, signIn } = report.token
    for (const wanted of [verdict, ...values, error?.cause, error?.fix, signIn?.userCode, signIn?.verificationUri]) {
      expect(text).toContain(wanted ?? '')
    }
    for (const check of report.checks) expect(text).toContain(check.message)
    expect(await page.getByRole('button').count()).toBe(0)
    expect(await page.locator('meta[http-equiv=refresh]').count()).toBe(state === 'pending' ? 1 : 0)
    expect(problems).toEqual([])
  })
})
