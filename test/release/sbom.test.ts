import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Ajv, type AnySchemaObject } from 'ajv'
import addFormats from 'ajv-formats'
import type { Metafile } from 'esbuild'
import { expect, inject, test } from 'vitest'
import { useProcesses } from '../support/processes.ts'
import { fileOfPackage } from '../support/some-packages.ts'

const { run } = useProcesses()
const schemas = join(fileOfPackage('@cyclonedx/cyclonedx-library/package.json'), '../res/schema')
const schemaOf = (name: string) =>
  JSON.parse(readFileSync(join(schemas, `${name}.SNAPSHOT.schema.json`), 'utf8')) as AnySchemaObject
const {
  clones: [clone],
} = inject('releases')

interface Sbom {
  readonly bomFormat: string
  readonly specVersion: string
  readonly components: readonly {
    readonly group?: string
    readonly name: string
    readonly version: string
    readonly purl: string
    readonly hashes: readonly { readonly alg: string; readonly content: string }[]
    readonly licenses: readonly unknown[]
  }[]
}

/** Builds again, and prints what the bundler itself says of each file. */
const buildAgain = `
const { buildBundle } = await import('./build.ts')
const { buildLibrary } = await import('./scripts/build/build-library.ts')
const { buildCommandLine } = await import('./scripts/build/build-command-line.ts')
const bundle = await buildBundle()
const { metafile, typeFiles } = await buildLibrary()
const metafiles = [...bundle.metafiles, metafile, ...(await buildCommandLine(process.cwd() + '/dist/cli'))]
process.stdout.write('\\n' + JSON.stringify({ metafiles, typeFiles }))
`

test('it is what the schema of CycloneDX 1.6 allows, and nothing more', async () => {
  const text = readFileSync(join(clone, 'dist/release/sbom.cdx.json'), 'utf8')
  const ajv = new Ajv({ strict: false, formats: { 'iri-reference': true, 'idn-email': true } })
  for (const name of ['spdx', 'jsf-0.82'])
    ajv.addSchema(schemaOf(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`)
  addFormats.default(ajv)
  const validate = ajv.compile(schemaOf('bom-1.6'))
  expect([validate(JSON.parse(text)), validate.errors]).toEqual([true, null])
  expect(validate(JSON.parse(text.replace('"hashes"', '"hash"')))).toBe(false)
})

test('it names every package whose code is in the files and no other, with version, hash and license', async () => {
  const sbom = JSON.parse(readFileSync(join(clone, 'dist/release/sbom.cdx.json'), 'utf8')) as Sbom
  expect([sbom.bomFormat, sbom.specVersion]).toEqual(['CycloneDX', '1.6'])

  const { stdout } = await run(['--input-type=module', '--eval', buildAgain], { cwd: clone })
  const { metafiles, typeFiles } = JSON.parse(stdout.split('\n').at(-1) ?? '') as {
    metafiles: Metafile[]
    typeFiles: string[]
  }
  const paths = new Set<string>(typeFiles)
  for (const { outputs } of metafiles) {
    for (const { inputs } of Object.values(outputs)) {
      for (const [path, { bytesInOutput }] of Object.entries(inputs)) if (bytesInOutput > 0) paths.add(path)
    }
  }
  // Grammars are copied, not bundled.
  for (const file of globSync('dist/cli/**/*.wasm', { cwd: clone })) {
    paths.add(`node_modules/@vscode/tree-sitter-wasm/wasm/${basename(file)}`)
  }
  const inFiles = new Set<string>()
  for (const path of paths) {
    const at = path.lastIndexOf('node_modules/')
    if (at < 0) continue
    const [first = '', second = ''] = path.slice(at + 'node_modules/'.length).split('/')
    const name = first.startsWith('@') ? `${first}/${second}` : first
    const directory = join(clone, path.slice(path.indexOf('node_modules/'), at), 'node_modules', name)
    const { version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as { version: string }
    inFiles.add(`${name}@${version}`)
  }
  const named = sbom.components.map(
    ({ group, name, version }) => `${group === undefined ? '' : `${group}/`}${name}@${version}`,
  )
  expect(named.toSorted()).toEqual([...inFiles].toSorted())
  expect(new Set(named).size).toBe(named.length)
  expect(named.length).toBeGreaterThan(20)
  for (const { hashes, licenses, purl } of sbom.components) {
    expect(hashes).toEqual([{ alg: 'SHA-512', content: /^[0-9a-f]{128}$/ }])
    expect(licenses).toHaveLength(1)
    expect(purl).toMatch(/^pkg:npm\//)
  }

  const notices = readFileSync(join(clone, 'dist/release/THIRD-PARTY-NOTICES.txt'), 'utf8')
  for (const name of named) expect(notices).toContain(`\n${name.replace(/@(?=[^@]*$)/, ' ')}\n`)
})
