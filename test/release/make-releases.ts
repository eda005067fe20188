import { execFile, execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { cleanEnvironment } from '../support/environment.ts'
import { installNode } from '../support/install-node.ts'
import { repository } from '../support/project-copy.ts'

/** Two clones of the commit that is checked out, each with the release made in it. */
export interface Releases {
  readonly clones: readonly [string, string]
  /** The Node that made the second one, and runs what it made: another version where there is one. */
  readonly otherNode: string
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly releases: Releases
  }
}

/** Makes the release of this commit in two clones, under conditions as different as can be. @returns What removes them. */
export async function setup(testProject: TestProject): Promise<() => void> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'releases-')))
  const remove = () => rmSync(directory, { recursive: true, force: true })
  try {
    const otherNode = findOtherNode()
    const clones = [join(directory, 'a'), join(directory, 'another place, with spaces', 'ü')] as const
    const turkish = { TZ: 'America/Anchorage', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' }
    clones.forEach(cloneInto)
    for (const path of ignored) writeFileSync(join(clones[1], path), 'Not of the commit')
    await Promise.all([
      makeRelease(clones[0], process.execPath, '022', { TZ: 'Pacific/Kiritimati', LC_ALL: 'C' }),
      makeRelease(clones[1], otherNode, '077', turkish),
    ])
    testProject.provide('releases', { clones, otherNode })
    const status = execFileSync('git', ['status', '--porcelain'], { cwd: repository, encoding: 'utf8' })
    if (status === '') made.cleanRelease = join(clones[0], 'dist/release')
  } catch (error) {
    remove()
    throw error
  }
  return remove
}

/** For test/deploy in the same run: the release of this working tree, if it is the same as the commit. */
export const made = globalThis as { cleanRelease?: string }

/** Files that git ignores, which only the second clone has. */
const ignored = ['deploy/functions/local.settings.json', 'docs/session.log', 'cloud-profiles/local.settings.json']

function cloneInto(clone: string): void {
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', repository, clone], { stdio: 'inherit' })
  symlinkSync(join(repository, 'node_modules'), join(clone, 'node_modules'), 'dir')
  // What git ignores is a folder of that name, not a link.
  appendFileSync(join(clone, '.git/info/exclude'), 'node_modules\n*.log\nlocal.settings.json\n')
}

async function makeRelease(clone: string, node: string, umask: string, env: NodeJS.ProcessEnv): Promise<void> {
  const options = { cwd: clone, env: cleanEnvironment(env), timeout: 280_000 }
  await promisify(execFile)('sh', ['-c', `umask ${umask} && exec "$0" scripts/main.ts release`, node], options)
}

/** Node 22 in addition to this version: `OTHER_NODE`, or from the registry into a cache of ours. */
function findOtherNode(): string {
  const given = process.env['OTHER_NODE']
  if (given !== undefined && given !== '') return given
  return installNode('22') ?? process.execPath
}
