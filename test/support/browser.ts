import type { Browser } from 'playwright-core'
import { afterAll } from 'vitest'
import { launchChromium } from './chromium.ts'

/**
 * Starts one real Chromium for the test file that calls this at its top level, and closes it with the file.
 * Where none can start the reason is printed and the result is `undefined`: skip the tests then.
 */
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
