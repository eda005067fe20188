import type { Browser } from 'playwright-core'
import { afterAll } from 'vitest'
import { launchChromium } from './chromium.ts'

/** Starts a real Chromium for a test file, and closes it with the file. Where none can start, prints the reason and returns `undefined`. */
export async function startBrowser(): Promise<Browser | undefined> {
  try {
    const browser = await launchChromium()
    afterAll(() => browser.close())
    return browser
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split('\n')
    console.warn(`Browser tests are skipped, no Chromium starts here (CHROMIUM_PATH may name one): ${reason}`)
    return undefined
  }
}
