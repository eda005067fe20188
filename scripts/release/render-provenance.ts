import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { VERSION } from '../../src/lib/settings/version.ts'
import { appDirectory } from '../../src/cli/app-directory.ts'
import type { BundledPackage } from './bundled-packages.ts'
import type { Sources } from './sources.ts'

/** The tools whose versions affect the output. */
export const tools = ['esbuild', 'rolldown', 'rolldown-plugin-dts', 'typescript', 'fflate']

/**
 * The provenance of a release: an in-toto statement with a SLSA v1 predicate. It names neither machine nor time, so that the same
 * commit gives the same statement.
 */
export async function renderProvenance(
  sums: ReadonlyMap<string, string>,
  packages: readonly BundledPackage[],
  { commit, changed }: Sources,
): Promise<string> {
  const lock = await readFile(join(appDirectory, 'package-lock.json'))
  const { packages: locked } = JSON.parse(lock.toString('utf8')) as {
    readonly packages: Readonly<Record<string, { readonly version: string } | undefined>>
  }
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
          ...packages.map(({ name, version, purl, sha512 }) => ({
            name: `${name}@${version}`,
            uri: purl,
            digest: { sha512 },
          })),
        ],
      },
      runDetails: {
        builder: { id: 'urn:cloud-profile-service:builder', version: Object.fromEntries(versions) as object },
      },
    },
  }
  return `${JSON.stringify(statement, undefined, 2)}\n`
}
