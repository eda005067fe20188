import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { repository } from '../support/project-copy.ts'
import { findTool, runTool } from './tools.ts'

const read = (path: string) => readFileSync(join(repository, path), 'utf8')
const actionlint = findTool('actionlint', 'Run .ci/deploy-tools.')

describe.each([
  ['ci.yml', ['.ci/run']],
  ['compare-clouds.yml', ['npm ci', 'npm run compare-clouds']],
  [
    'dependencies.yml',
    [
      'npm ci',
      'npm audit --omit=dev',
      'npm outdated @azure/identity @azure/msal-node @azure/core-rest-pipeline @azure/logger zod',
    ],
  ],
])('The workflow %s', (name, commands) => {
  const file = `.github/workflows/${name}`

  test.skipIf(actionlint === undefined)('is valid by actionlint', () => {
    expect(runTool(actionlint ?? '', ['-no-color', file])).toMatchObject({ code: 0, stdout: '' })
  })

  test('runs its commands, with actions pinned to a commit and no write permission', () => {
    const { permissions, jobs } = parse(read(file)) as {
      permissions: object
      jobs: Record<string, { steps: { run?: string; uses?: string }[] }>
    }
    const steps = Object.values(jobs).flatMap((job) => job.steps)
    expect(steps.flatMap(({ run }) => run ?? [])).toEqual(commands)
    expect(steps.flatMap(({ uses }) => uses ?? []).filter((uses) => !/@[0-9a-f]{40}$/.test(uses))).toEqual([])
    expect(permissions).toEqual({ contents: 'read' })
  })
})
