import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, unzipSync } from 'fflate'
import { describe, expect, inject, test } from 'vitest'
import { VERSION } from '../../src/lib/settings/version.ts'
import { endpointTable } from '../../src/lib/diagnostics/endpoint-table.ts'
import { settingRows } from '../../src/lib/variables.ts'
import { Ajv, type AnySchemaObject } from 'ajv'
import addFormats from 'ajv-formats'
import { fileOfPackage } from '../support/some-packages.ts'

const [clone, otherClone] = inject('releases').clones
const [release, otherRelease] = [clone, otherClone].map((each) => join(each, 'dist/release')) as [string, string]
const read = (name: string) => readFileSync(join(release, name))
const text = (name: string) => read(name).toString('utf8')
const json = (name: string): unknown => JSON.parse(text(name))
const commandName = `cloud-profile-${VERSION}.tgz`
const libraryName = `cloud-profile-service-${VERSION}.tgz`
const enclaveName = `cloud-profile-enclave-${VERSION}.tgz`
const layerName = `cloud-profile-service-${VERSION}-layer.tar.gz`
const guidesName = `cloud-profile-service-${VERSION}-deploy.tar.gz`
const webAppName = `cloud-profile-service-${VERSION}-stack.zip`
const zipName = `cloud-profile-service-${VERSION}-functions.zip`

/** The texts in a tarball by their path: names are the first 100 bytes of each header, sizes are octal. */
function filesIn(tarball: Uint8Array): Map<string, string> {
  const bytes = gunzipSync(tarball)
  const files = new Map<string, string>()
  for (let at = 0; bytes[at] !== 0;) {
    const header = Buffer.from(bytes.subarray(at, at + 512)).toString('latin1')
    const size = Number.parseInt(header.slice(124, 136), 8)
    const name = header.slice(0, 100).replace(/\0.*/s, '')
    files.set(name, Buffer.from(bytes.subarray(at + 512, at + 512 + size)).toString())
    at += 512 + Math.ceil(size / 512) * 512
  }
  return files
}

test('the same commit makes the same bytes in any folder, time zone, locale and umask, on Node 22 and 24, beside files that git ignores', () => {
  expect(readFileSync(join(otherRelease, 'SHA256SUMS'), 'utf8')).toBe(text('SHA256SUMS'))
  expect(text('provenance.json')).toContain('"tree": "clean"')
})

test('the folder has what is listed, and nothing else', () => {
  const documents = 'README.md SHA256SUMS THIRD-PARTY-NOTICES.txt clouds.json egress.json openapi.json provenance.json'
  const others = `${documents} sbom.cdx.json settings.json sign.sh verify.sh`.split(' ')
  const archives = [zipName, webAppName, commandName, libraryName, enclaveName, layerName, guidesName]
  expect(readdirSync(release).toSorted()).toEqual([...others, ...archives].toSorted())
  for (const folder of [release, otherRelease]) expect(statSync(join(folder, 'verify.sh')).mode & 0o777).toBe(0o755)
})

test('the layer has the files of the package where the Dockerfile puts them', () => {
  const files = (name: string, root: string) =>
    new Map([...filesIn(read(name))].map(([path, content]) => [path.replace(root, ''), content] as const))
  expect(files(layerName, 'opt/cloud-profile/package/')).toEqual(files(commandName, 'package/'))
})

describe('The npm packages', () => {
  const packages = {
    'cloud-profile': { file: commandName, folders: /^package\/(dist|cloud-profiles)\// },
    'cloud-profile-service': { file: libraryName, folders: /^package\/(dist\/lib|cloud-profiles)\// },
    'cloud-profile-enclave': { file: enclaveName, folders: /^package\/[^/]+$/ },
  }

  test.each(Object.entries(packages))('%s has no dependency, test or source', (name, { file, folders }) => {
    const files = filesIn(read(file))
    const manifest = JSON.parse(String(files.get('package/package.json'))) as Readonly<Record<string, unknown>>
    expect(manifest).toMatchObject({ name, version: VERSION })
    for (const kind of ['dependencies', 'optionalDependencies', 'peerDependencies'])
      expect(manifest).not.toHaveProperty(kind)
    const names = [...files.keys()]
    const documents = ['LICENSE', 'README.md', 'THIRD-PARTY-NOTICES.txt'].map((each) => `package/${each}`)
    expect(names).toEqual(expect.arrayContaining(documents))
    expect(names.filter((path) => !folders.test(path) && !/^package\/[^/]+$/.test(path))).toEqual([])
    expect(names.filter((path) => /(^|\/)(src|test|node_modules)\/|(?<!\.d)\.ts$|\.map$/.test(path))).toEqual([])
  })

  test('the library takes less than 2.5 MB', () => {
    const sizes = [...filesIn(read(libraryName)).values()].map(({ length }) => length)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(2_500_000)
  })

  test('no declaration of the enclave imports another package', () => {
    const files = filesIn(read(enclaveName))
    expect(files.get('package/index.d.ts')).toContain('interface CloudProfile')
    expect(files.get('package/index.d.ts')).not.toMatch(/^import |from '/m)
  })
})

test.each([
  ['a functions host', zipName, ['host.json', 'dist/main.cjs'], 'dist'],
  ['a web app on a stack', webAppName, ['server.js', 'web.config', 'dist/cli/cloud-profile.cjs'], 'dist/cli'],
])('the zip for %s has what it needs with the licenses, and no package to install', (_what, zip, needed, folder) => {
  const names = Object.keys(unzipSync(read(zip)))
  expect(names).toEqual(expect.arrayContaining([...needed, 'package.json', 'LICENSE', 'THIRD-PARTY-NOTICES.txt']))
  const allowed = new RegExp(String.raw`^(${folder}/[\w-]+\.cjs|cloud-profiles/(known/)?[\w-]+\.(json|md)|[\w.-]+)$`)
  expect(names.filter((name) => !allowed.test(name))).toEqual([])
})

test('the release contains the deployment files and the guides, and every link between them works', () => {
  const root = `cloud-profile-service-${VERSION}/`
  const files = filesIn(read(guidesName))
  const names = new Set(files.keys())
  expect([...names].filter((name) => !name.startsWith(root))).toEqual([])
  for (const folder of ['functions', 'container', 'kubernetes', 'systemd', 'stack']) {
    expect([...names].some((name) => name.startsWith(`${root}deploy/${folder}/`))).toBe(true)
    expect(names).toContain(`${root}docs/deploy-${folder === 'stack' ? 'on-premises' : folder}.md`)
  }
  /** The links of a page, and the schema that a profile names. */
  const linksOf = (name: string, text: string) => {
    if (name.endsWith('.json')) return text.matchAll(/"\$schema": "(\.[^"]*)"/g)
    return name.endsWith('.md') ? text.matchAll(/\]\((?!https?:|#)([^)#]+)/g) : []
  }
  const links = [...files].flatMap(([name, text]) =>
    [...linksOf(name, text)].map(([, link = '']) => join(name, '..', link)),
  )
  expect(links.filter((target) => target.endsWith('schema.json'))).not.toEqual([])
  const isThere = (target: string) => [...names].some((each) => `${each}/`.startsWith(`${target}/`))
  expect(links.filter((target) => !isThere(target))).toEqual([])
})

test('settings.json and egress.json have every variable and endpoint, and no setting that does not exist', () => {
  const { settings } = json('settings.json') as { readonly settings: readonly { readonly name: string }[] }
  const known = settingRows.map(({ name }) => name)
  expect(settings.map(({ name }) => name)).toEqual(known)
  expect(settings).toContainEqual(expect.objectContaining({ name: 'PLATFORM_CLIENT_SECRET', secret: true }))
  const { egress } = json('egress.json') as { egress: { id: string; name: string; settings: string[] }[] }
  const named = egress.map(({ id, name }) => ({ id, name }))
  expect(named).toEqual(expect.arrayContaining(endpointTable.map(({ id, name }) => ({ id, name }))))
  expect(egress.flatMap((row) => row.settings).filter((name) => !known.includes(name))).toEqual([])
})

test('provenance.json is an in-toto statement about the files that are there', () => {
  const others = readdirSync(release).filter((name) => !['SHA256SUMS', 'provenance.json'].includes(name))
  const hashOf = (name: string) => createHash('sha256').update(read(name)).digest('hex')
  expect(json('provenance.json')).toMatchObject({
    _type: 'https://in-toto.io/Statement/v1',
    predicateType: 'https://slsa.dev/provenance/v1',
    subject: others.toSorted().map((name) => ({ name, digest: { sha256: hashOf(name) } })),
  })
})

describe('The bill of materials', () => {
  const schemas = join(fileOfPackage('@cyclonedx/cyclonedx-library/package.json'), '../res/schema')
  const schemaOf = (name: string) =>
    JSON.parse(readFileSync(join(schemas, `${name}.SNAPSHOT.schema.json`), 'utf8')) as AnySchemaObject

  type Component = Readonly<Record<'name' | 'version' | 'purl', string>> & { readonly group?: string }

  test('it is what the schema of CycloneDX 1.6 allows, and nothing more', async () => {
    const sbom = text('sbom.cdx.json')
    const ajv = new Ajv({ strict: false, formats: { 'iri-reference': true, 'idn-email': true } })
    for (const name of ['spdx', 'jsf-0.82'])
      ajv.addSchema(schemaOf(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`)
    addFormats.default(ajv)
    const validate = ajv.compile(schemaOf('bom-1.6'))
    expect([validate(JSON.parse(sbom)), validate.errors]).toEqual([true, null])
    expect(validate(JSON.parse(sbom.replace('"hashes"', '"hash"')))).toBe(false)
  })

  test('it names the packages whose code is in the files and no other, with version, hash and license', () => {
    const { components } = json('sbom.cdx.json') as { readonly components: readonly Component[] }
    const names = components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`))
    const manifest: unknown = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'))
    const { dependencies, devDependencies } = manifest as Record<'dependencies' | 'devDependencies', object>
    // The bundle silences this package and does not contain it.
    const direct = Object.keys(dependencies).filter((name) => name !== 'debug')
    // Packages of the enclave, which is built into files without dependencies.
    const ofEnclave = ['@peculiar/x509', 'jose', 'reflect-metadata']
    const indirect = ['@azure/msal-common', '@opentelemetry/api', 'tdigest']
    expect(names).toEqual(expect.arrayContaining([...direct, ...ofEnclave, ...indirect]))
    expect(Object.keys(devDependencies).filter((name) => names.includes(name) && !ofEnclave.includes(name))).toEqual([])

    for (const [index, component] of components.entries()) {
      const purl = `pkg:npm/${names[index]?.replace('@', '%40')}@${component.version}`
      const hashes = [{ alg: 'SHA-512', content: /^[0-9a-f]{128}$/ }]
      expect(component).toMatchObject({ purl, hashes, licenses: { length: 1 } })
      expect(text('THIRD-PARTY-NOTICES.txt')).toContain(`\n${names[index]} ${component.version}\n`)
    }
  })
})
