import { afterAll, describe, expect, test } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { openPage, overflowOf } from './open-page.ts'
import { servePage } from './page-server.ts'
import { samples } from '../support/sample-reports.ts'

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

  test('an address with any fragment is a page that goes on looking', async () => {
    server.show(samples.ok)
    const { page, problems } = await openPage(browser, `${server.url}#%`)
    await page.evaluate('location.hash = "#constructor"')
    await page.evaluate('location.hash = "#authority.tls"')
    expect(await page.locator('[id="authority.tls"]').isVisible()).toBe(true)
    expect(problems).toEqual([])
  })

  test('on paper it is black on white without what only a screen can use', async () => {
    server.show({ ...samples.failed, banner: 'SECRET//NOFORN' })
    const { page } = await openPage(browser, server.url, { colorScheme: 'dark' })
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('contentinfo').isVisible()).toBe(false)
    expect(await page.getByText('No proxy variable applies to').first().isVisible()).toBe(true)
    expect(await page.getByText('SECRET//NOFORN').filter({ visible: true }).count()).toBe(2)
    const colors = await page.evaluate(
      '(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.body))',
    )
    expect(colors).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
  })

  // A4 between its margins, a tablet, and a small laptop.
  test.each([
    ['print', 718],
    ['screen', 768],
    ['screen', 1024],
  ] as const)('on %s of %i pixels no two cells and no two texts of the connection path touch', async (media, width) => {
    const { report } = samples.failed
    const certificate = {
      subject: 'a',
      issuer: 'b',
      validFrom: '2026-01-01T00:00:00Z',
      validTo: '2026-11-20T22:00:00Z',
    }
    const hosts = report.hosts?.map((row) => ({ ...row, host: `${'long-'.repeat(12)}${row.host}`, certificate })) ?? []
    const instance = { ...report.instance, hostName: 'cloud-profile-service-7d9f8b6c5d-x2k4q' }
    const names = new Map([...hosts.map(({ id, host }) => [id, host] as const), ['workload', instance.hostName]])
    const diagram = report.diagram?.map((node) => ({ ...node, host: names.get(node.id) ?? node.host ?? '' })) ?? []
    server.show({ ...samples.failed, report: { ...report, hosts, instance, diagram } })
    const { page } = await openPage(browser, server.url, { viewport: { width, height: 1040 } })
    await page.emulateMedia({ media })
    const found = await page.evaluate(`(() => {
      const name = (each) => each.textContent.replace(/\\s+/g, ' ').trim()
      const wide = [...document.querySelectorAll(':is(td, th)')].filter((cell) => {
        const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
        const range = document.createRange()
        let words = 0
        // The words in italics are for a screen reader.
        while (texts.nextNode()) {
          range.selectNodeContents(texts.currentNode)
          if (!texts.currentNode.parentNode.matches('i')) words = Math.max(words, range.getBoundingClientRect().right)
        }
        const next = cell.nextElementSibling
        return name(cell) !== '' && next && next.offsetTop === cell.offsetTop && words > next.getBoundingClientRect().left - 3
      })
      const narrow = [...document.querySelectorAll('.node b, thead th')].filter((each) => {
        const size = parseFloat(getComputedStyle(each).fontSize)
        const words = name(each).split(' ').length
        return each.getBoundingClientRect().height > 1.8 * size * words + 12
      })
      return [...wide, ...narrow].map(name)
    })()`)
    expect(found).toEqual([])
    expect(await overflowOf(page)).toBe(0)
  })
})
