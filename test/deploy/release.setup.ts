import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { made } from '../release/make-releases.ts'
import { repository } from '../support/project-copy.ts'
import { runTool } from './tools.ts'

/** Makes `dist/release`, which is what deploy/ deploys. */
export function setup(): void {
  const release = join(repository, 'dist/release')
  if (made.cleanRelease !== undefined) {
    rmSync(release, { recursive: true, force: true })
    cpSync(made.cleanRelease, release, { recursive: true })
    return
  }
  const { code, stderr } = runTool(process.execPath, [join(repository, 'scripts/main.ts'), 'release'])
  if (code !== 0) throw new Error(`There is no release to deploy:\n${stderr}`)
}
