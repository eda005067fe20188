import { Contrib, Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import { PackageURL } from 'packageurl-js'
import parseExpression from 'spdx-expression-parse'
import { VERSION } from '../../src/lib/settings/version.ts'
import type { BundledPackage } from './bundled-packages.ts'

/** A bill of materials in CycloneDX 1.6 of all packages whose code is in the release. It has no time and no serial number. */
export function renderSbom(packages: readonly BundledPackage[]): string {
  const licenses = new Contrib.License.Factories.LicenseFactory(parseExpression)
  const product = new Models.Component(Enums.ComponentType.Application, 'cloud-profile-service', {
    version: VERSION,
    bomRef: `cloud-profile-service@${VERSION}`,
    licenses: new Models.LicenseRepository([licenses.makeFromString('MIT')]),
    purl: new PackageURL('npm', undefined, 'cloud-profile-service', VERSION).toString(),
  })
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: product }) })
  for (const { name, version, description, license, homepage, purl, sha512 } of packages) {
    const [rest = name, group] = name.split('/').toReversed()
    const component = new Models.Component(Enums.ComponentType.Library, rest, {
      ...(group === undefined ? {} : { group }),
      version,
      bomRef: purl,
      purl,
      ...(description === undefined ? {} : { description }),
      licenses: new Models.LicenseRepository([licenses.makeFromString(license)]),
      hashes: new Models.HashDictionary([[Enums.HashAlgorithm['SHA-512'], sha512]]),
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
