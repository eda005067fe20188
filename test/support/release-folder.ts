import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from './project-copy.ts'

const script = (name: string) => readFileSync(join(repository, 'scripts/release/files', name), 'utf8')

/** The files of a small release with the real scripts. */
const releaseFiles: Readonly<Record<string, string>> = {
  'README.md': '# A release\n',
  'cloud-profile-service-2.0.0.tgz': 'bytes\n',
  'settings.json': '{}\n',
  'sign.sh': script('sign.sh'),
  'verify.sh': script('verify.sh'),
}

export function sumLine(name: string, content: string = releaseFiles[name] ?? ''): string {
  return `${createHash('sha256').update(content).digest('hex')}  ${name}\n`
}

/** Writes a small release into a new folder. */
export function writeReleaseFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, content] of Object.entries(releaseFiles)) writeFileSync(join(folder, name), content)
  writeFileSync(
    join(folder, 'SHA256SUMS'),
    Object.keys(releaseFiles)
      .map((name) => sumLine(name))
      .join(''),
  )
}
