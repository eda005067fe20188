import { crc32, deflateSync } from 'node:zlib'

/** An image as a canvas has it: four bytes a pixel. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly rgba: Uint8Array
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/**
 * Writes a PNG of at most 256 colors, a quarter of the size of a full one: the most frequent colors stay exact, each other one becomes the
 * nearest of them (https://www.w3.org/TR/png-3/). Opaque images only.
 */
export function palettePng({ width, height, rgba }: Pixels): Buffer {
  const pixels = new Uint32Array(rgba.buffer, rgba.byteOffset, width * height)
  const counts = new Map<number, number>()
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1)
  const palette = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 256)
    .map(([pixel]) => channelsOf(pixel))
  const indexes = new Map<number, number>()
  for (const pixel of counts.keys()) indexes.set(pixel, nearest(palette, channelsOf(pixel)))
  const rows = Buffer.alloc((width + 1) * height)
  for (const [at, pixel] of pixels.entries()) {
    // Each row begins with its filter: none.
    rows[at + Math.floor(at / width) + 1] = indexes.get(pixel) ?? 0
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits a pixel, with a palette.
  header.set([8, 3], 8)
  const parts = {
    IHDR: header,
    PLTE: Buffer.from(palette.flat()),
    IDAT: deflateSync(rows, { level: 9 }),
    IEND: Buffer.alloc(0),
  }
  return Buffer.concat([signature, ...Object.entries(parts).map(([name, data]) => chunk(name, data))])
}

type Channels = readonly [red: number, green: number, blue: number]

const channelsOf = (pixel: number): Channels => [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255]

function nearest(palette: readonly Channels[], [red, green, blue]: Channels): number {
  const distances = palette.map(([r, g, b]) => (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2)
  return distances.indexOf(Math.min(...distances))
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
