import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { metrics } from '../../src/lib/service/metrics.ts'
import { VERSION } from '../../src/lib/settings/version.ts'
import { repository } from '../support/project-copy.ts'
import { promtool, withoutPromtool } from '../support/promtool.ts'
import { findTool, runTool } from './tools.ts'

const pathOf = (path: string) => join(repository, path)
const read = (path: string) => readFileSync(pathOf(path), 'utf8')

describe('The alert rules', () => {
  const [rules, tests] = ['deploy/prometheus/alerts.yaml', 'deploy/prometheus/alerts.test.yaml'] as const

  test.skipIf(withoutPromtool !== '')(`are well formed, and their unit tests pass${withoutPromtool}`, () => {
    expect(promtool(['check', 'rules', pathOf(rules)])).toBe('')
    expect(promtool(['test', 'rules', pathOf(tests)])).toBe('')
  })

  test('ask for metrics that the service has', () => {
    const asked = read(rules).match(/\bcloud_profile_\w+/g) ?? []
    const names = new Set(Object.keys(metrics))
    expect(asked.length).toBeGreaterThan(6)
    expect(asked.filter((name) => !names.has(name))).toEqual([])
  })

  test('each have a unit test', () => {
    const alerts = [...read(rules).matchAll(/alert: (\w+)/g)].map(([, name]) => name)
    expect(alerts.length).toBeGreaterThan(5)
    expect(alerts.filter((name) => !read(tests).includes(`alertname: ${name}\n`))).toEqual([])
  })
})

test.each([
  ['container/Dockerfile', /^ARG VERSION=(.*)$/m],
  ['kubernetes/base/kustomization.yaml', /newTag: (.*)/],
  ['kubernetes/base/kustomization.yaml', /app\.kubernetes\.io\/version: (.*)/],
  ['kubernetes/example/kustomization.yaml', /newTag: (.*)/],
])('%s is of this version', (path, pattern) => {
  expect(pattern.exec(read(`deploy/${path}`))?.[1]).toBe(VERSION)
})

const actionlint = findTool('actionlint', 'Run .ci/deploy-tools.')

describe.each(['ci.yml', 'compare-clouds.yml', 'dependencies.yml'])('The workflow %s', (name) => {
  const file = `.github/workflows/${name}`

  test.skipIf(actionlint === undefined)('is valid by actionlint', () => {
    expect(runTool(actionlint ?? '', ['-no-color', file])).toMatchObject({ code: 0, stdout: '' })
  })

  test('pins its actions to a commit, and has no write permission', () => {
    const { permissions } = parse(read(file)) as { permissions: object }
    const actions = [...read(file).matchAll(/uses: (\S+)/g)].map(([, uses = '']) => uses)
    expect(actions.length).toBeGreaterThan(0)
    expect(actions.filter((uses) => !/@[0-9a-f]{40}$/.test(uses))).toEqual([])
    expect(permissions).toEqual({ contents: 'read' })
  })
})
