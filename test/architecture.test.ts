import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { repository } from './support/project-copy.ts'
import { useTemporaryDirectory } from './support/temporary-directory.ts'

const { path: directory } = useTemporaryDirectory()
/** The part of a result of dependency-cruiser that the test reads. */
interface Cruise {
  readonly modules: readonly { readonly source: string; readonly dependencies: readonly { resolved: string }[] }[]
  readonly summary: { readonly ruleSetUsed: { readonly allowed: readonly Record<'from' | 'to', { path?: string }>[] } }
}

test('The sources make every import that a row of .dependency-cruiser.mjs allows', async () => {
  const cruised = join(directory, 'cruised.json')
  const cruise = join(repository, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')
  const words = [cruise, 'src', 'packages', '--config', '--output-type', 'json', '--output-to', cruised]
  await promisify(execFile)(process.execPath, words, { cwd: repository })
  const { summary, modules } = JSON.parse(readFileSync(cruised, 'utf8')) as Cruise
  const imports = modules.flatMap(({ source, dependencies }) => dependencies.map(({ resolved }) => [source, resolved]))
  const unused = summary.ruleSetUsed.allowed.flatMap(({ from, to }) =>
    // dependency-cruiser joins the paths of a row to one expression.
    (to.path ?? '').split(/\|(?=\^|\(\^)/).flatMap((path) => {
      const [origin, wanted] = [new RegExp(from.path ?? ''), new RegExp(path)]
      const isMade = imports.some(([source = '', target = '']) => origin.test(source) && wanted.test(target))
      return isMade || path === from.path ? [] : [`${from.path} may import ${path}, and does not`]
    }),
  )
  expect(imports.length).toBeGreaterThan(1000)
  expect(unused).toEqual([])
})

test.each([
  ['22.3', /process\s*\.getBuiltinModule\(/],
  ['22.9', /allowPartialTrustChain/],
  ['22.10', /\.valid(?:From|To)Date\b|[{ ]valid(?:From|To)Date[, }]/],
])('the sources do not need what Node has from %s on', (_, used) => {
  const sources = globSync('src/**/*.ts', { cwd: repository })
  const codeOf = (file: string) => readFileSync(join(repository, file), 'utf8').replaceAll(/\/\/.*|^\s*\/?\*.*/gm, '')
  expect(sources.length).toBeGreaterThan(100)
  expect(sources.filter((file) => used.test(codeOf(file)))).toEqual([])
})
