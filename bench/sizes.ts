import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Apps } from './apps.ts'
import type { Row } from './row.ts'

/** The files that a cold start reads. */
const coldPath = ['host.json', 'package.json', 'dist/main.cjs']

export async function benchSizes({ ours }: Apps): Promise<Row[]> {
  const size = async (path: string): Promise<number> => {
    const found = await stat(join(ours, path))
    if (!found.isDirectory()) return found.size
    return sum(await Promise.all((await readdir(join(ours, path))).map((name) => size(join(path, name)))))
  }
  const sizes = async (paths: readonly string[]) => sum(await Promise.all(paths.map(size))) / 1000
  return [
    {
      measure: `size of the files that a cold start reads: ${coldPath.join(', ')}`,
      value: await sizes(coldPath),
      unit: 'kB',
      atMost: 160,
      n: 1,
    },
    {
      measure: 'size of all deployable files',
      value: await sizes(['.']),
      unit: 'kB',
      atMost: 1000,
      n: 1,
    },
  ]
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
