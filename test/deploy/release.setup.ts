import { join } from 'node:path'
import { repository } from '../support/project-copy.ts'
import { runTool } from './tools.ts'

/** Makes `dist/release`, which is what deploy/ deploys. */
export function setup(): void {
  const { code, stderr } = runTool(process.execPath, [join(repository, 'scripts/main.ts'), 'release'])
  if (code !== 0) throw new Error(`There is no release to deploy:\n${stderr}`)
}
