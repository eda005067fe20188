import type { BundledPackage } from './bundled-packages.ts'

const rule = '-'.repeat(78)

/** The licenses of all third-party code in the release, as text. */
export function renderNotices(packages: readonly BundledPackage[]): string {
  const notices = packages.map(({ name, version, license, texts }) =>
    [
      `${name} ${version}`,
      `License: ${license}`,
      '',
      ...(texts.length === 0 ? ['(The package contains no license text.)'] : texts),
    ].join('\n'),
  )
  const intro = `This product contains code of ${packages.length} third-party packages, each under the license below.`
  return `${[intro, ...notices].join(`\n\n${rule}\n`)}\n`
}
