import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

/**
 * Opens an address in a fresh context, which goes when the test ends. The problems are console errors and warnings, uncaught errors, dialogs and
 * violations of the content security policy.
 */
export async function openPage(browser: Browser | undefined, url: string, options: BrowserContextOptions = {}) {
  if (browser === undefined) throw new Error('There is no browser; the test should have been skipped')
  const context = await browser.newContext({ serviceWorkers: 'block', ...options })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('dialog', (dialog) => {
    problems.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  await page.goto(url)
  return { page, problems }
}

/** How many pixels of the page lie beyond the window's right edge. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

/** Opens everything that is folded, as a person would one after the other. */
export async function unfoldAll(page: Page): Promise<void> {
  await page.evaluate('document.querySelectorAll("details").forEach((each) => { each.open = true })')
}

/** Violations of WCAG 2.2 AA and of good practice, one line each.  */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // Evaluated by the debugger, so the policy of the page may stay in force.
  await page.evaluate(axe.source)
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  // Only violations are read node by node, and there is no style sheet of another origin to load.
  const options: axe.RunOptions = { runOnly: tags, resultTypes: ['violations'], preload: false }
  const results: axe.AxeResults = await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)
  if (results.passes.length < 20)
    throw new Error(`Only ${results.passes.length} rules applied: axe did not see the page`)
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}
