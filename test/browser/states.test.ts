import { afterAll, describe, expect, test } from 'vitest'
import { fieldPaths } from '../../src/lib/profile/field-path.ts'
import { startBrowser } from '../support/browser.ts'
import { accessibilityProblems, openPage, overflowOf, unfoldAll } from './open-page.ts'
import { servePage } from './page-server.ts'
import { samples } from '../support/sample-reports.ts'

const browser = await startBrowser()
const server = await servePage()
afterAll(() => server.close())

describe.skipIf(browser === undefined).each([
  ['ok', 'OK'],
  ['warning', 'Warning'],
  ['failed', 'Failed'],
  ['pending', 'Waiting for sign-in'],
  ['placeholder', 'Failed'],
] as const)('the page of the state %s', (state, verdict) => {
  // Contrast depends on the scheme and the size of targets on the width, so two of the four tell all.
  test.each([
    ['light', 1280],
    ['dark', 320],
  ] as const)('in %s at %i pixels is one request and breaks no rule of axe', async (colorScheme, width) => {
    server.show({ ...samples[state], banner: 'CUI' })
    const { page, problems } = await openPage(browser, server.url, { colorScheme, viewport: { width, height: 800 } })
    expect(server.requests).toEqual(['GET /'])
    expect(await page.title()).toBe(`${verdict} · ${samples[state].report.cloud.name}`)
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(verdict)
    expect(await overflowOf(page)).toBe(0)
    await unfoldAll(page)
    expect(await overflowOf(page)).toBe(0)
    expect(await accessibilityProblems(page)).toEqual([])
    expect(problems).toEqual([])
  })

  test('is complete with JavaScript off', async () => {
    server.show(samples[state])
    const { page, problems } = await openPage(browser, server.url, { javaScriptEnabled: false })
    for (const fold of await page.locator('summary').all()) await fold.click()
    const text = await page.locator('body').innerText()
    const { report, profile } = samples[state]
    const values = fieldPaths.flatMap((path) => profile.fields[path]?.value ?? [])
    const { cause, fix } = report.rootCause ?? {}
    const { userCode, verificationUri } = report.token.signIn ?? {}
    const messages = report.checks.map(({ message }) => message)
    for (const wanted of [verdict, ...values, cause, fix, userCode, verificationUri, ...messages])
      expect(text).toContain(wanted ?? '')
    expect(await page.getByRole('button').count()).toBe(0)
    expect(await page.getByRole('region', { name: 'Connection path' }).count()).toBe(1)
    expect(await page.locator('meta[http-equiv=refresh]').count()).toBe(state === 'pending' ? 1 : 0)
    expect(problems).toEqual([])
  })
})

describe.skipIf(browser === undefined)('the first screen of a laptop', () => {
  const laptop = { viewport: { width: 1280, height: 800 } }

  test('shows the whole page of a healthy service', async () => {
    server.show(samples.ok)
    const { page } = await openPage(browser, server.url, laptop)
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(800)
    expect((await page.getByRole('contentinfo').boundingBox())?.y).toBeLessThan(770)
  })

  test.each(['failed', 'placeholder'] as const)('shows cause, fix and connection path of %s', async (state) => {
    server.show({ ...samples[state], banner: 'CUI' })
    const { page } = await openPage(browser, server.url, laptop)
    for (const part of [
      page.getByRole('heading', { name: 'Cause' }),
      page.getByRole('heading', { name: 'Fix' }),
      page.getByRole('region', { name: 'Connection path' }),
    ]) {
      const { y = Infinity, height = 0 } = (await part.boundingBox()) ?? {}
      expect(y + height).toBeLessThanOrEqual(800)
    }
  })
})
