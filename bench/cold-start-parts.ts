import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'
import { bundleWithNames } from '../build.ts'
import type { Apps } from './apps.ts'
import { startInWorker, type Started } from './cold-start.ts'
import { interleave } from './interleave.ts'
import type { Row } from './row.ts'

const rounds = 60

/** What the code before `src/main.ts` runs as, by the folder of a module; the first match counts. */
const kinds: readonly (readonly [part: string, path: RegExp])[] = [
  ['modules of @azure/functions', /@azure\/functions|used-parts/],
  ['the table of the profile', /lib\/profile\/(cloud-profile|field|field-path)\.ts/],
  ['other modules', /(?:)/],
]

/** Where a step of `src/main.ts` begins, by the text of its line. */
const steps: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'lib/service/service.ts': {
    'const settings = readSettings(env, ': 'settings',
    'const cloud = explainProfile({ env })': 'resolving the profile',
    'let loaded: Diagnostics | undefined': 'the rest of the service',
  },
  'main.ts': { 'registerApp(createApp(service))': 'routes, and registration' },
}

const mark = (name: string) => `coldStartMarks.push([${JSON.stringify(name)},performance.now()]);`

const markSteps: Plugin = {
  name: 'mark-steps',
  setup(build) {
    for (const [file, lines] of Object.entries(steps)) {
      build.onLoad({ filter: new RegExp(`/src/${file.replace('.', '\\.')}$`) }, async ({ path }) => {
        let contents = await readFile(path, 'utf8')
        for (const [line, step] of Object.entries(lines)) {
          if (!contents.includes(line)) throw new Error(`${path} has no line ${line}`)
          contents = contents.replace(line, `${mark(step)}${line}`)
        }
        return { contents: `declare const coldStartMarks: [string, number][];${contents}`, loader: 'ts' }
      })
    }
  },
}

/**
 * The parts of a cold start in a worker, timed between marks. The time to find, read and compile is measured with the bundle as it is; all other parts
 * are of a bundle with a mark before each module and each step.
 */
export async function benchColdStartParts({ directory, ours, hello }: Apps): Promise<Row[]> {
  const copy = async (name: string, app: string, text: string) => {
    const marked = join(directory, name)
    await mkdir(join(marked, 'dist'), { recursive: true })
    for (const file of ['host.json', 'package.json']) await cp(join(app, file), join(marked, file))
    const code = text.replace(/^(?:"use strict";)?/, `$&globalThis.coldStartMarks=[];${mark('loaded')}`)
    await writeFile(join(marked, 'dist/main.cjs'), code)
    return marked
  }
  const unchanged = (app: string) => readFile(join(app, 'dist/main.cjs'), 'utf8')
  const named = await bundleWithNames([markSteps])
  const apps = {
    ours: await copy('ours-loaded', ours, await unchanged(ours)),
    hello: await copy('hello-loaded', hello, await unchanged(hello)),
    marked: await copy(
      'marked',
      ours,
      named.replace(/^\/\/ (\S+)$/gm, (_line, module: string) => mark(module)),
    ),
  }
  const start = await startInWorker(directory)
  const runs = await interleave(rounds, {
    ours: () => start(apps.ours),
    hello: () => start(apps.hello),
    marked: () => start(apps.marked),
  })
  const parts = runs.marked.map(partsOf)
  const names = [...new Set(parts.flatMap((each) => [...each.keys()]))]
  const times = names.map((name) => [name, lowerQuartile(parts.map((each) => each.get(name) ?? 0))] as const)
  const load = { ours: lowerQuartile(runs.ours.map(loadOf)), hello: lowerQuartile(runs.hello.map(loadOf)) }
  const run = lowerQuartile(runs.hello.map((each) => each.duration - loadOf(each)))
  const sum = times.reduce((total, [, value]) => total + value, load.ours)
  const row = (name: string, value: number, of?: number): Row => ({
    measure: `cold start in a worker, part: ${name}`,
    value,
    unit: 'ms',
    ...(of === undefined ? {} : { reference: { name: 'hello-world', value: of } }),
    n: rounds,
  })
  return [
    row('find, read and compile the bundle', load.ours, load.hello),
    ...times.map(([name, value]) => row(name, value)),
    { ...row('sum of all', sum, load.hello + run), note },
  ]
}

/** Milliseconds from the `require` to the first line of the bundle. */
function loadOf({ started, marks = [] }: Started): number {
  return (marks[0]?.[1] ?? Number.NaN) - started
}

function partsOf({ started, duration, marks = [] }: Started): Map<string, number> {
  const parts = new Map<string, number>()
  const add = (name: string, ms: number) => parts.set(name, (parts.get(name) ?? 0) + ms)
  const isStep = (name: string) => Object.values(steps).some((lines) => Object.values(lines).includes(name))
  for (const [index, [name, at]] of marks.entries()) {
    const kind = kinds.find(([, path]) => path.test(name))?.[0] ?? name
    add(isStep(name) ? name : kind, (marks[index + 1]?.[1] ?? started + duration) - at)
  }
  return parts
}

function lowerQuartile(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 4)] ?? Number.NaN
}

const note =
  'Lower quartiles, because a part is shorter than the time that another process takes from it. The sum is that of the quartiles.'
