import { spawnSync } from 'node:child_process'
import { mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { cleanEnvironment } from './environment.ts'
import { copyDeployable, copyProject } from './project-copy.ts'

/** The build of this run, or the reason why it failed: then only the tests that need it fail. */
export type Build = { readonly project: string; readonly deployable: string } | { readonly failure: string }

declare module 'vitest' {
  interface ProvidedContext {
    readonly build: Build
  }
}

const commands = JSON.stringify(new URL('bundle-commands.ts', import.meta.url).href)
const buildAll = `
  const [{ buildBundle }, { bundleCommands }] = await Promise.all([import('./build.ts'), import(${commands})])
  await Promise.all([buildBundle(), bundleCommands(process.cwd())])
`

const shared = globalThis as { testBuild?: Build }

/** Builds the bundle and the commands once per run, in a copy of the project. @returns What removes it. */
export function setup(testProject: TestProject): () => void {
  if (shared.testBuild !== undefined) {
    testProject.provide('build', shared.testBuild)
    return () => {}
  }
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'cloud-profile-service-build-')))
  process.env['NODE_COMPILE_CACHE'] = join(directory, 'compile-cache')
  shared.testBuild = build(directory)
  testProject.provide('build', shared.testBuild)
  return () => {
    // A process that is about to end may still write its compile cache. After the rename it opens no new file, and the retries remove the last.
    const removed = `${directory}-removed`
    renameSync(directory, removed)
    rmSync(removed, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

function build(directory: string): Build {
  const project = copyProject(join(directory, 'project'))
  const { status, stderr, error } = spawnSync(process.execPath, ['--input-type=module', '--eval', buildAll], {
    cwd: project,
    env: cleanEnvironment(),
    encoding: 'utf8',
    timeout: 280_000,
  })
  if (status !== 0) return { failure: error?.message ?? stderr }
  return { project, deployable: copyDeployable(project, join(directory, 'deployable')) }
}
