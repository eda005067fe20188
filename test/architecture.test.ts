import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { repository } from './support/project-copy.ts'
import { useTemporaryDirectory } from './support/temporary-directory.ts'

const { path: directory } = useTemporaryDirectory()
const copied = [
  '.dependency-cruiser.mjs',
  'build.ts',
  'cloud-profiles',
  'interop/last-run.json',
  'knip.json',
  'package.json',
  'scripts',
  'packages',
  'src',
  'tsconfig.json',
]

/** The part of a result of dependency-cruiser that the tests read. */
interface Cruise {
  readonly modules: readonly {
    readonly source: string
    readonly dependencies: readonly { readonly resolved: string }[]
  }[]
  readonly summary: {
    readonly violations: readonly unknown[]
    readonly ruleSetUsed: {
      readonly allowed: readonly {
        readonly from: { readonly path?: string }
        readonly to: { readonly path?: string }
      }[]
    }
  }
}

/** The sources, with some files more, as the commands of `npm run check` judge them. */
async function judge(name: string, files: Readonly<Record<string, string>>, tool: 'depcruise' | 'knip') {
  const copy = join(directory, name)
  mkdirSync(copy)
  for (const part of copied) cpSync(join(repository, part), join(copy, part), { recursive: true })
  symlinkSync(join(repository, 'node_modules'), join(copy, 'node_modules'), 'dir')
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(copy, file, '..'), { recursive: true })
    writeFileSync(join(copy, file), text)
  }
  const words =
    tool === 'knip'
      ? [join(repository, 'node_modules/knip/bin/knip.js'), '--include', 'exports,files']
      : [join(repository, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'), 'src', 'packages', '--config']
  return promisify(execFile)(process.execPath, words, { cwd: copy }).then(
    () => 'passed',
    ({ stdout }: { stdout: string }) => stdout,
  )
}

describe('The sources', async () => {
  const cruised = join(directory, 'cruised.json')
  const cruise = join(repository, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')
  const words = [cruise, 'src', 'packages', '--config', '--output-type', 'json', '--output-to', cruised]
  await promisify(execFile)(process.execPath, words, { cwd: repository })
  const { summary, modules } = JSON.parse(readFileSync(cruised, 'utf8')) as Cruise

  test('break no rule of .dependency-cruiser.mjs', () => {
    expect(modules.length).toBeGreaterThan(400)
    expect(summary.violations).toEqual([])
  })

  test('make every import that a row allows', () => {
    const imports = modules.flatMap(({ source, dependencies }) =>
      dependencies.map(({ resolved }) => [source, resolved]),
    )
    const unused = summary.ruleSetUsed.allowed.flatMap(({ from, to }) =>
      // dependency-cruiser joins the paths of a row to one expression.
      (to.path ?? '').split(/\|(?=\^|\(\^)/).flatMap((path) => {
        const isMade = imports.some(([source = '', target = '']) => {
          return new RegExp(from.path ?? '').test(source) && new RegExp(path).test(target)
        })
        return isMade || path === from.path ? [] : [`${from.path} may import ${path}, and does not`]
      }),
    )
    expect(unused).toEqual([])
  })
})

test.each([
  ['22.3', /process\s*\.getBuiltinModule\(/],
  ['22.9', /allowPartialTrustChain/],
  ['22.10', /\.valid(?:From|To)Date\b|[{ ]valid(?:From|To)Date[, }]/],
])('the sources do not need what Node has from %s on', (_, used) => {
  const sources = readdirSync(join(repository, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .filter((name) =>
      used.test(readFileSync(join(repository, 'src', name), 'utf8').replaceAll(/\/\/.*|^\s*\/?\*.*/gm, '')),
    )
  expect(sources).toEqual([])
})

test('a loose file, a new folder, and an import that no row lists are errors that name both files', async () => {
  const files = {
    'src/lib/loose.ts': 'export const loose = 1\n',
    'src/lib/newroom/file.ts': "import { findings } from '../findings/catalog.ts'\nexport const x = findings\n",
    'src/page/probing.ts':
      "import { runProbes } from '../lib/diagnostics/probes/probe-endpoint.ts'\nexport const x = runProbes\n",
    'src/lib/profile/hosting.ts': "import type { Host } from '../../emulator/emulator.ts'\nexport type X = Host\n",
    'src/server/ours.ts': "import { ServiceError } from '../lib/errors.ts'\nexport const x = ServiceError\n",
    'src/lib/clouds/networking.ts': "import { z } from 'zod'\nexport const x = z\n",
    'src/lib/clouds/one.ts': "import type { Two } from './two.ts'\nexport type One = Two\n",
    'src/lib/clouds/two.ts': "import type { One } from './one.ts'\nexport type Two = One | 1\n",
  }
  const said = await judge('broken', files, 'depcruise')
  for (const line of [
    /room-unknown-orphan: src\/lib\/loose\.ts/,
    /room-unknown: src\/lib\/newroom\/file\.ts/,
    /not-in-allowed: src\/page\/probing\.ts → src\/lib\/diagnostics\/probes\/probe-endpoint\.ts/,
    /not-in-allowed: src\/lib\/profile\/hosting\.ts → src\/emulator\/emulator\.ts/,
    /not-in-allowed: src\/server\/ours\.ts → src\/lib\/errors\.ts/,
    /not-in-allowed: src\/lib\/clouds\/networking\.ts → .*zod/,
    /no-cycle: src\/lib\/clouds\/one\.ts/,
  ]) {
    expect(said).toMatch(line)
  }
})

test('an export that nothing uses is an error', async () => {
  const file = 'src/lib/clouds/equal-values.ts'
  const files = { [file]: `${readFileSync(join(repository, file), 'utf8')}\nexport const unused = 2\n` }
  const said = (await judge('unused', files, 'knip')).split('\n').filter((line) => line.includes(file))
  expect(said).toEqual([expect.stringMatching(/^unused /)])
})
