import type { BundledPackage } from './bundled-packages.ts'

const rule = '-'.repeat(78)

/** The licences of everything by others that is in a file of the release, as text. */
export function renderNotices(packages: readonly BundledPackage[]): string {
  const notices = packages.map(({ name, version, license, texts }) =>
    [
      `${name} ${version}`,
      `Licence: ${license}`,
      '',
      ...(texts.length === 0 ? ['(It brings no text of its licence.)'] : texts),
    ].join('\n'),
  )
  const intro = `This product holds code of ${packages.length} packages by others, each under the licence below.`
  return `${[intro, ...notices].join(`\n\n${rule}\n`)}\n`
}
