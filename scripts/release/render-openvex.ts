import { UsageError } from '../../src/cli/command.ts'
import { VERSION } from '../../src/lib/settings/version.ts'
import type { BundledPackage } from './packages.ts'

/** A published vulnerability of a package that a release bundles, or bundled before. */
interface Advisory {
  /** The identifier of the advisory, and its other names. */
  readonly id: string
  readonly aliases: readonly string[]
  readonly package: string
  /** The first version with the fix. */
  readonly fixedIn: string
  /** Where the range of versions is published. */
  readonly source: string
  /** For a bundled version without the fix: why the release is not affected (a justification of OpenVEX), with the reason in words. */
  readonly notAffected?: { readonly justification: string; readonly reason: string }
}

/** Add a row for each advisory that a scanner reports for a package of `sbom.cdx.json`. */
const advisories: readonly Advisory[] = [
  {
    id: 'GHSA-m5vv-6r4h-3vj9',
    aliases: ['CVE-2024-35255'],
    package: '@azure/identity',
    fixedIn: '4.2.1',
    source: 'https://github.com/advisories/GHSA-m5vv-6r4h-3vj9',
  },
  {
    id: 'GHSA-m5vv-6r4h-3vj9',
    aliases: ['CVE-2024-35255'],
    package: '@azure/msal-node',
    fixedIn: '2.9.2',
    source: 'https://github.com/github/advisory-database/pull/4537',
  },
  {
    id: 'CVE-2023-36415',
    aliases: [],
    package: '@azure/identity',
    fixedIn: '3.3.1',
    source: 'https://msrc.microsoft.com/update-guide/vulnerability/CVE-2023-36415',
  },
  {
    id: 'GHSA-8mgj-vmr8-frr6',
    aliases: ['CVE-2025-59144'],
    package: 'debug',
    fixedIn: '4.4.3',
    source: 'https://github.com/advisories/GHSA-8mgj-vmr8-frr6',
  },
  {
    id: 'GHSA-m95q-7qp3-xv42',
    aliases: ['CVE-2023-4316'],
    package: 'zod',
    fixedIn: '3.22.3',
    source: 'https://github.com/advisories/GHSA-m95q-7qp3-xv42',
  },
]

/**
 * The status of each known vulnerability for the bundled packages (OpenVEX 0.2.0), from the versions of the lockfile, without a network.
 * A scanner that reads it beside `sbom.cdx.json` leaves answered findings out.
 *
 * @param timestamp Of the commit, in ISO 8601, so that the same commit gives the same bytes.
 * @throws {UsageError} for a bundled version without the fix, as long as its row does not say why the release is not affected.
 */
export function renderOpenVex(
  packages: readonly BundledPackage[],
  timestamp: string,
  rows: readonly Advisory[] = advisories,
): string {
  const statements = rows.flatMap(({ id, aliases, package: name, fixedIn, source, notAffected }) =>
    packages
      .filter((bundled) => bundled.name === name)
      .map(({ version, purl }) => {
        const isFixed = version.localeCompare(fixedIn, 'en', { numeric: true }) >= 0
        if (!isFixed && notAffected === undefined) {
          throw new UsageError(
            `${name} ${version} has ${id}: install ${fixedIn} or newer, or say in its row why the release is not affected`,
          )
        }
        return {
          vulnerability: { '@id': source, name: id, aliases },
          products: [{ '@id': product, subcomponents: [{ '@id': purl }] }],
          ...(isFixed
            ? { status: 'fixed', status_notes: `${name} ${version} is not older than ${fixedIn}` }
            : {
                status: 'not_affected',
                justification: notAffected?.justification,
                impact_statement: notAffected?.reason,
              }),
        }
      }),
  )
  const document = {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': `urn:cloud-profile-service:vex:${VERSION}`,
    author: 'cloud-profile-service',
    timestamp,
    version: 1,
    statements,
  }
  return `${JSON.stringify(document, undefined, 2)}\n`
}

const product = `pkg:npm/cloud-profile-service@${VERSION}`
