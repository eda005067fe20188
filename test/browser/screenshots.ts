import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { Readable } from 'node:stream'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../support/chromium.ts'
import { pictures, wordsOf } from './pictures.ts'
import { setup as installPackages } from '../support/some-packages.ts'

/**
 * `node test/browser/screenshots.ts`: writes `docs/images/page-*.png`, the first screen of the demo's page in each state, and the words on it,
 * which `screenshots.test.ts` compares with today's page.
 */
const folder = new URL('../../docs/images/', import.meta.url)
const screen = { width: 1280, height: 800 }

installPackages()
const browser = await launchChromium()
await mkdir(folder, { recursive: true })
try {
  for (const [state, options] of Object.entries(pictures)) {
    const demo = spawn(process.execPath, ['src/cli/from-sources.js', 'demo', ...options], {
      env: { ...process.env, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(demo, 'exit')
    try {
      const { png, words } = await shoot(browser, await urlOf(demo.stdout), state)
      await writeFile(new URL(`page-${state}.png`, folder), png)
      await writeFile(new URL(`page-${state}.txt`, folder), words)
      process.stdout.write(`docs/images/page-${state}.png ${png.length} bytes\n`)
    } finally {
      demo.kill('SIGTERM')
      await ended
    }
  }
} finally {
  await browser.close()
}

async function shoot(browser: Browser, url: string, state: string): Promise<{ png: Buffer; words: string }> {
  const page = await browser.newPage({ viewport: screen, colorScheme: 'light' })
  await page.goto(url)
  await page.locator(`body.${state}`).waitFor()
  const words = wordsOf(await (await fetch(url)).text())
  // No picture names the machine that made it.
  await page.evaluate(`(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode())
      texts.currentNode.data = texts.currentNode.data.replaceAll(${JSON.stringify(hostname())}, 'workload-1')
  })()`)
  const bottom = await page.evaluate<number>('document.querySelector("footer").getBoundingClientRect().bottom')
  const size = { ...screen, height: Math.min(screen.height, Math.ceil(bottom)) }
  const png = await page.screenshot({ clip: { x: 0, y: 0, ...size } })
  await page.close()
  return { png, words }
}

/** The address that the demo prints once it serves. */
async function urlOf(stdout: Readable): Promise<string> {
  let text = ''
  for await (const chunk of stdout) {
    text += String(chunk)
    const url = /^Server running on (\S+)$/m.exec(text)?.[1]
    if (url !== undefined) return url
  }
  throw new Error(`The demo ended before it served:\n${text}`)
}
