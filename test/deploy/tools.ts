import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { repository } from '../support/project-copy.ts'

/** Where `.ci/deploy-tools` puts what no package of the system brings. */
const ownTools = ['.tools/bin', '.tools/venv/bin'].map((folder) => join(repository, folder))

/** The path of a tool, first of those installed for this project. Without it the reason is printed, and its tests must be skipped. */
export function findTool(name: string, install: string): string | undefined {
  const folders = [...ownTools, ...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin']
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
  if (found === undefined) process.stderr.write(`SKIPPED: there is no ${name} here. ${install}\n`)
  return found
}

type ToolOptions = { readonly input?: string; readonly env?: NodeJS.ProcessEnv; readonly cwd?: string }

/** Runs a tool to its end. */
export function runTool(path: string, args: readonly string[], { env, ...options }: ToolOptions = {}) {
  const { status, stdout, stderr, error } = spawnSync(path, args, {
    cwd: repository,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    timeout: 280_000,
    env: { ...process.env, ...env },
    ...options,
  })
  if (error !== undefined) throw error
  return { code: status, stdout, stderr }
}
