import { expect, test } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { palettePng } from './palette-png.ts'

const browser = await startBrowser()

test.skipIf(browser === undefined)(
  'a browser reads the frequent colors exactly, and the others as the nearest',
  async () => {
    // 300 colors, the first 255 twice.
    const reds = Array.from({ length: 555 }, (_, index) => (index < 510 ? index % 255 : index - 255))
    const rgba = Uint8Array.from(reds.flatMap((red) => [red & 255, red >> 8, 7, 255]))
    const png = palettePng({ width: 15, height: 37, rgba })
    const page = await browser?.newPage()
    const base64 = png.toString('base64')
    const shown = await page?.evaluate<number[]>(`(async () => {
    const image = await createImageBitmap(await (await fetch('data:image/png;base64,${base64}')).blob())
    const context = new OffscreenCanvas(15, 37).getContext('2d')
    context.drawImage(image, 0, 0)
    return [...context.getImageData(0, 0, 15, 37).data]
  })()`)
    expect(shown?.slice(0, 510 * 4)).toEqual(Array.from(rgba.slice(0, 510 * 4)))
    expect(shown?.slice(-4)).toEqual([43, 0, 7, 255])
    expect(png.length).toBeLessThan(2000)
  },
)
