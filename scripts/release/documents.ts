import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { appDirectory } from '../../src/cli/app-directory.ts'
import { VERSION } from '../../src/lib/settings/version.ts'
import { settingRows } from '../../src/lib/variables.ts'
import contacts from './egress.json' with { type: 'json' }
import { readLockFile, specOf, type BundledPackage } from './packages.ts'
import type { Sources } from './sources.ts'

/** Every contact of the service, for a firewall or an approval. */
export function renderEgress(): string {
  return `${JSON.stringify({ version: VERSION, ...contacts }, undefined, 2)}\n`
}

/** Every setting, for a template or an approval. */
export function renderSettingsJson(): string {
  const settings = settingRows.map(({ name, meaning, type, choices, rule, default: fallback, unset, secret }) => {
    const facts = { type, choices, rule, default: fallback ?? null, unset, secret }
    return { name, meaning: meaning.replaceAll('`', ''), ...facts }
  })
  return `${JSON.stringify({ version: VERSION, settings }, undefined, 2)}\n`
}

const rule = '-'.repeat(78)

/** The licenses of all third-party code in the release. */
export function renderNotices(packages: readonly BundledPackage[]): string {
  const notices = packages.map(({ name, version, license, texts }) => {
    const all = texts.length === 0 ? ['(The package contains no license text.)'] : texts
    return [`${name} ${version}`, `License: ${license}`, '', ...all].join('\n')
  })
  const intro = `This product contains code of ${packages.length} third-party packages, each under the license below.`
  return `${[intro, ...notices].join(`\n\n${rule}\n`)}\n`
}

/** A bill of materials (CycloneDX 1.6) of all packages with code in the release. Without time and serial number, so that it is reproducible. */
export function renderSbom(packages: readonly BundledPackage[]): string {
  const product = `cloud-profile-service@${VERSION}`
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        name: 'cloud-profile-service',
        version: VERSION,
        'bom-ref': product,
        licenses: licenses('MIT'),
        purl: `pkg:npm/${product}`,
      },
    },
    components: packages.map(toComponent),
    dependencies: [{ ref: product, dependsOn: packages.map(({ purl }) => purl).sort() }],
  }
  return `${JSON.stringify(document, undefined, 2)}\n`
}

function toComponent({ name, version, description, license, homepage, purl, sha512 }: BundledPackage): object {
  const [rest, group] = name.split('/').toReversed()
  return {
    type: 'library',
    name: rest,
    group,
    version,
    'bom-ref': purl,
    description,
    hashes: [{ alg: 'SHA-512', content: sha512 }],
    licenses: licenses(license),
    purl,
    externalReferences: homepage && [{ type: 'website', url: homepage }],
  }
}

/** @param license An SPDX identifier, or an expression of several. */
const licenses = (license: string): readonly object[] =>
  /^[\w.+-]+$/.test(license) ? [{ license: { id: license } }] : [{ expression: license }]

/** Tools that affect the output. */
export const tools = ['esbuild', 'rolldown', 'rolldown-plugin-dts', 'typescript', 'fflate']

/** The provenance: an in-toto statement with a SLSA v1 predicate, without machine and time, so that a commit always gives the same one. */
export function renderProvenance(
  sums: ReadonlyMap<string, string>,
  packages: readonly BundledPackage[],
  { commit, changed }: Sources,
): string {
  const lock = readFileSync(join(appDirectory, 'package-lock.json'))
  const { packages: locked } = readLockFile()
  const versions = tools.map((name) => [name, locked[`node_modules/${name}`]?.version ?? 'unknown'])
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [...sums].map(([name, sha256]) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:cloud-profile-service:npm-run-release:v1',
        externalParameters: { command: 'npm run release', version: VERSION },
        internalParameters: {
          // `unknown` without a repository.
          tree: commit === undefined ? 'unknown' : changed.length === 0 ? 'clean' : 'dirty',
          changedFiles: changed,
        },
        resolvedDependencies: [
          ...(commit === undefined ? [] : [{ name: 'source', digest: { gitCommit: commit } }]),
          { name: 'package-lock.json', digest: { sha256: createHash('sha256').update(lock).digest('hex') } },
          ...packages.map((each) => ({ name: specOf(each), uri: each.purl, digest: { sha512: each.sha512 } })),
        ],
      },
      runDetails: {
        builder: { id: 'urn:cloud-profile-service:builder', version: Object.fromEntries(versions) as object },
      },
    },
  }
  return `${JSON.stringify(statement, undefined, 2)}\n`
}
