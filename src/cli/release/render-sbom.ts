import { Contrib, Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import { PackageURL } from 'packageurl-js'
import parseExpression from 'spdx-expression-parse'
import { VERSION } from '../../lib/settings/version.ts'
import type { BundledPackage } from './bundled-packages.ts'

/** A bill of materials in CycloneDX 1.6: the packages whose code is in the release, and no other. It names no time and no serial number. */
export function renderSbom(packages: readonly BundledPackage[]): string {
  const licences = new Contrib.License.Factories.LicenseFactory(parseExpression)
  const product = new Models.Component(Enums.ComponentType.Application, 'cloud-profile-service', {
    version: VERSION,
    bomRef: `cloud-profile-service@${VERSION}`,
    licenses: new Models.LicenseRepository([licences.makeFromString('MIT')]),
    purl: new PackageURL('npm', undefined, 'cloud-profile-service', VERSION).toString(),
  })
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: product }) })
  for (const { name, version, description, license, homepage, integrity } of packages) {
    const [, scope, rest = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? []
    const purl = new PackageURL('npm', scope, rest, version).toString()
    const component = new Models.Component(Enums.ComponentType.Library, rest, {
      ...(scope === undefined ? {} : { group: scope }),
      version,
      bomRef: purl,
      purl,
      ...(description === undefined ? {} : { description }),
      licenses: new Models.LicenseRepository([licences.makeFromString(license)]),
      hashes: new Models.HashDictionary([hashOf(integrity)]),
      externalReferences: new Models.ExternalReferenceRepository(
        homepage === undefined ? [] : [new Models.ExternalReference(homepage, Enums.ExternalReferenceType.Website)],
      ),
    })
    bom.components.add(component)
    product.dependencies.add(component.bomRef)
  }
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6))
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`
}

/** `sha512-…` in base 64, as lockfiles have it. */
function hashOf(integrity: string): [Enums.HashAlgorithm, string] {
  const [, digest] = /^sha512-([A-Za-z0-9+/=]+)$/.exec(integrity) ?? []
  if (digest === undefined) throw new Error(`${integrity} is no SHA-512`)
  return [Enums.HashAlgorithm['SHA-512'], Buffer.from(digest, 'base64').toString('hex')]
}
