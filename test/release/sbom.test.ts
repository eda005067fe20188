import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type AnySchemaObject } from 'ajv'
import addFormats from 'ajv-formats'
import { expect, inject, test } from 'vitest'
import { fileOfPackage } from '../support/some-packages.ts'

const schemas = join(fileOfPackage('@cyclonedx/cyclonedx-library/package.json'), '../res/schema')
const schemaOf = (name: string) =>
  JSON.parse(readFileSync(join(schemas, `${name}.SNAPSHOT.schema.json`), 'utf8')) as AnySchemaObject
const [clone] = inject('releases').clones

interface Sbom {
  readonly components: readonly {
    readonly group?: string
    readonly name: string
    readonly version: string
    readonly purl: string
    readonly hashes: readonly { readonly alg: string; readonly content: string }[]
    readonly licenses: readonly unknown[]
  }[]
}

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

test('it names the packages whose code is in the files and no other, with version, hash and license', () => {
  const { components } = JSON.parse(readFileSync(join(clone, 'dist/release/sbom.cdx.json'), 'utf8')) as Sbom
  const names = components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`))
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8')) as {
    readonly dependencies: object
    readonly devDependencies: object
  }
  // The bundle silences this package and does not contain it.
  const direct = Object.keys(dependencies).filter((name) => name !== 'debug')
  // Packages of the enclave, which is built into files without dependencies.
  const ofEnclave = ['@peculiar/x509', 'jose', 'reflect-metadata']
  const indirect = ['@azure/msal-common', '@opentelemetry/api', 'tdigest']
  expect(names).toEqual(expect.arrayContaining([...direct, ...ofEnclave, ...indirect]))
  expect(Object.keys(devDependencies).filter((name) => names.includes(name) && !ofEnclave.includes(name))).toEqual([])

  const notices = readFileSync(join(clone, 'dist/release/THIRD-PARTY-NOTICES.txt'), 'utf8')
  for (const [index, { version, hashes, licenses, purl }] of components.entries()) {
    expect(hashes).toEqual([{ alg: 'SHA-512', content: /^[0-9a-f]{128}$/ }])
    expect(licenses).toHaveLength(1)
    expect(purl).toBe(`pkg:npm/${names[index]?.replace('@', '%40')}@${version}`)
    expect(notices).toContain(`\n${names[index]} ${version}\n`)
  }
})
