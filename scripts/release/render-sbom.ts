import { VERSION } from '../../src/lib/settings/version.ts'
import type { BundledPackage } from './bundled-packages.ts'

/** A bill of materials (CycloneDX 1.6) of all packages whose code is in the release. It has no time and no serial number. */
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
    ...(group === undefined ? {} : { group }),
    version,
    'bom-ref': purl,
    ...(description === undefined ? {} : { description }),
    hashes: [{ alg: 'SHA-512', content: sha512 }],
    licenses: licenses(license),
    purl,
    ...(homepage === undefined ? {} : { externalReferences: [{ type: 'website', url: homepage }] }),
  }
}

/** One identifier of SPDX, or an expression of several. */
const licenses = (license: string): readonly object[] =>
  /^[\w.+-]+$/.test(license) ? [{ license: { id: license } }] : [{ expression: license }]
