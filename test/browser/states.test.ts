import { afterAll, describe, expect, test } from 'vitest'
import { fieldPaths } from '../../src/lib/profile/field-path.ts'
import { startBrowser } from '../support/browser.ts'
import { accessibilityProblems, openPage, overflowOf, unfoldAll } from './open-page.ts'
import { servePage } from './page-server.ts'
import { samples } from '../support/sample-reports.ts'

const browser = await startBrowser()
const server = await servePage()
afterAll(() => server.close())

const states = [
  { state: 'ok', verdict: 'OK' },
  { state: 'warning', verdict: 'Warning' },
  { state: 'failed', verdict: 'Failed' },
  { state: 'pending', verdict: 'Waiting for sign-in' },
  { state: 'placeholder', verdict: 'Failed' },
] as const

describe.skipIf(browser === undefined).each(states)('the page of the state $state', ({ state, verdict }) => {
  // Contrast depends on the scheme and the size of targets on the width, so two of the four tell all.
  test.each([
    ['light', 1280],
    ['dark', 320],
  ] as const)(
    'in %s fits %i pixels, is one request, breaks no rule of its policy and none of axe',
    async (colorScheme, width) => {
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
    },
  )

  test('is complete with JavaScript off', async () => {
    server.show(samples[state])
    const { page, problems } = await openPage(browser, server.url, { javaScriptEnabled: false })
    for (const fold of await page.locator('summary').all()) await fold.click()
    const text = await page.locator('body').innerText()
    const { report, profile } = samples[state]
    const values = fieldPaths.flatMap((path) => profile.fields[path]?.value ?? [])
    const { rootCause, token } = report
    const { signIn } = token
    for (const wanted of [
      verdict,
      ...values,
      rootCause?.cause,
      rootCause?.fix,
      signIn?.userCode,
      signIn?.verificationUri,
    ]) {
      expect(text).toContain(wanted ?? '')
    }
    for (const check of report.checks) expect(text).toContain(check.message)
    expect(await page.getByRole('button').count()).toBe(0)
    expect(await page.getByRole('region', { name: 'Connection path' }).count()).toBe(1)
    expect(await page.locator('meta[http-equiv=refresh]').count()).toBe(state === 'pending' ? 1 : 0)
    expect(problems).toEqual([])
  })
})

describe.skipIf(browser === undefined)('the first screen of a laptop', () => {
  const laptop = { viewport: { width: 1280, height: 800 } }

  test('holds the whole page of a healthy service', async () => {
    server.show(samples.ok)
    const { page } = await openPage(browser, server.url, laptop)
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(800)
    expect((await page.getByRole('contentinfo').boundingBox())?.y).toBeLessThan(770)
  })

  test.each(['failed', 'placeholder'] as const)(
    'holds cause, fix and connection path of the state %s',
    async (state) => {
      server.show({ ...samples[state], banner: 'CUI' })
      const { page } = await openPage(browser, server.url, laptop)
      const cause = page.getByRole('heading', { name: 'Cause' })
      const fix = page.getByRole('heading', { name: 'Fix' })
      const diagram = page.getByRole('region', { name: 'Connection path' })
      const bottoms = await Promise.all(
        [cause, fix, diagram].map(async (each) => {
          const box = await each.boundingBox()
          return box === null ? Infinity : box.y + box.height
        }),
      )
      expect(Math.max(...bottoms)).toBeLessThanOrEqual(800)
    },
  )
})
