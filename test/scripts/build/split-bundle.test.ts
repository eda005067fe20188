import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import * as esbuild from 'esbuild'
import { beforeAll, expect, test } from 'vitest'
import { writeWhole } from '../../../build.ts'
import { sharedParts, splitOptions, toCommonJs } from '../../../scripts/build/split-bundle.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

const directory = useTemporaryDirectory()
const sources = {
  'thing.ts': 'export class Thing {}\nexport let count = 0\nexport const add = () => { count += 1 }',
  'main.ts': `import { Thing, add } from './thing.ts'
    export const load = { one: () => import('./one.ts'), two: () => import('./two.ts') }
    add()
    globalThis.splitTest = { Thing, load }`,
  'both.ts': 'export const Shared = class {}',
  'one.ts': `import { Thing, count } from './thing.ts'
    import { Shared } from './both.ts'
    export { Thing, Shared, count }
    export const name = 'one'`,
  'two.ts': `import { Shared } from './both.ts'
    export { Shared }
    if (globalThis.splitTest.fails) throw new Error('not yet')`,
}
interface Loaded {
  fails?: boolean
  readonly Thing: unknown
  readonly load: Readonly<Record<'one' | 'two', () => Promise<Readonly<Record<string, unknown>>>>>
}
const outdir = () => join(directory.path, 'dist')

async function build() {
  const entry = join(directory.path, 'main.ts')
  const result = await esbuild.build({
    ...splitOptions,
    bundle: true,
    metafile: true,
    entryPoints: [entry],
    outdir: outdir(),
    plugins: [sharedParts(entry)],
  })
  const { files } = await toCommonJs(result, 'main', outdir(), '"use strict";')
  await Promise.all(files.map(writeWhole))
  return { outputs: Object.values(result.metafile.outputs), files: files.map(({ path }) => basename(path)) }
}

/** Loads the main file as a host does that starts an app again in one process. */
function start(): Loaded {
  const main = join(outdir(), 'main.cjs')
  const require = createRequire(main)
  for (const path of Object.keys(require.cache)) if (path.startsWith(outdir())) delete require.cache[path]
  require(main)
  return (globalThis as unknown as { splitTest: Loaded }).splitTest
}

let built: Awaited<ReturnType<typeof build>>
beforeAll(async () => {
  for (const [name, text] of Object.entries(sources)) directory.write(name, text)
  built = await build()
})

test('no source is in two parts, and the main file is written last', () => {
  const places = built.outputs.flatMap(({ inputs }) => Object.keys(inputs))
  const files = places.filter((path) => !path.startsWith('lazy:')).map((path) => basename(path))
  expect(files.sort()).toEqual(Object.keys(sources).sort())
  expect(built.files.at(-1)).toBe('main.cjs')
})

test('a class is the same in the main file and in each part, and a changed export is seen', async () => {
  const { Thing, load } = start()
  const [one, two] = [await load.one(), await load.two()]
  expect(one).toMatchObject({ Thing, count: 1 })
  expect(two['Shared']).toBe(one['Shared'])
})

test('a second start runs each part again', async () => {
  const [first, second] = [start(), start()]
  expect((await second.load.one())['Thing']).toBe(second.Thing)
  expect(second.Thing).not.toBe(first.Thing)
})

test('a part that fails is loaded again at the next call', async () => {
  const app = start()
  app.fails = true
  await expect(app.load.two()).rejects.toThrow('not yet')
  app.fails = false
  await expect(app.load.two()).resolves.toHaveProperty('Shared')
})
