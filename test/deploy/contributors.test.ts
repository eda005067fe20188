import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { repository } from '../support/project-copy.ts'
import { findTool, runTool } from './tools.ts'

const read = (path: string) => readFileSync(join(repository, path), 'utf8')
const actionlint = findTool('actionlint', 'Run .ci/deploy-tools.')

describe('The workflow', () => {
  const file = '.github/workflows/ci.yml'

  test.skipIf(actionlint === undefined)('is valid by actionlint', () => {
    expect(runTool(actionlint ?? '', ['-no-color', file])).toMatchObject({ code: 0, stdout: '' })
  })

  test.skipIf(actionlint === undefined)('and actionlint refuses a wrong one', () => {
    const wrong = read(file).replace('runs-on:', 'run-on:')
    expect(runTool(actionlint ?? '', ['-no-color', '-'], { input: wrong }).code).not.toBe(0)
  })

  test('runs .ci/run, with actions pinned to a commit and no write permission', () => {
    const { permissions, jobs } = parse(read(file)) as {
      permissions: object
      jobs: Record<string, { steps: { run?: string; uses?: string }[] }>
    }
    const steps = Object.values(jobs).flatMap((job) => job.steps)
    expect(steps.flatMap(({ run }) => run ?? [])).toEqual(['.ci/run'])
    expect(steps.flatMap(({ uses }) => uses ?? []).filter((uses) => !/@[0-9a-f]{40}$/.test(uses))).toEqual([])
    expect(permissions).toEqual({ contents: 'read' })
  })
})

test('Dependabot watches folders that exist', () => {
  const { updates } = parse(read('.github/dependabot.yml')) as {
    updates: { directories?: string[]; directory?: string }[]
  }
  const folders = updates.flatMap(({ directories, directory }) => directories ?? directory ?? [])
  expect(folders.length).toBeGreaterThan(5)
  expect(folders.filter((folder) => !existsSync(join(repository, folder)))).toEqual([])
})

test('the issue form requires the support report', () => {
  const { body } = parse(read('.github/ISSUE_TEMPLATE/problem.yml')) as {
    body: { id?: string; validations?: { required: boolean } }[]
  }
  expect(body.find(({ id }) => id === 'report')?.validations).toEqual({ required: true })
})

test('the editor starts npm scripts that exist', () => {
  const { configurations } = JSON.parse(read('.vscode/launch.json')) as { configurations: { runtimeArgs: string[] }[] }
  const { scripts } = JSON.parse(read('package.json')) as { scripts: object }
  expect(configurations.length).toBeGreaterThan(0)
  for (const { runtimeArgs } of configurations) expect(scripts).toHaveProperty(runtimeArgs.at(-1) ?? '')
})
