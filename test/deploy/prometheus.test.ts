import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { metricRows } from '../../src/lib/service/metrics.ts'
import { promtool, withoutPromtool } from '../support/promtool.ts'

const file = (name: string) => fileURLToPath(new URL(`../../deploy/prometheus/${name}`, import.meta.url))

describe('The alert rules', () => {
  test.skipIf(withoutPromtool !== '')(`are well formed${withoutPromtool}`, () => {
    expect(promtool(['check', 'rules', file('alerts.yaml')])).toBe('')
  })

  test.skipIf(withoutPromtool !== '')(
    `fire in an outage and stay silent without one: their own unit tests${withoutPromtool}`,
    () => {
      expect(promtool(['test', 'rules', file('alerts.test.yaml')])).toBe('')
    },
  )

  test('ask for metrics that the service has', () => {
    const asked = readFileSync(file('alerts.yaml'), 'utf8').match(/\bcloud_profile_\w+/g) ?? []
    const names = new Set(metricRows.map(({ name }) => name))
    expect(asked.length).toBeGreaterThan(6)
    expect(asked.filter((name) => !names.has(name))).toEqual([])
  })

  test('each have a unit test', () => {
    const alerts = [...readFileSync(file('alerts.yaml'), 'utf8').matchAll(/alert: (\w+)/g)].map(([, name]) => name)
    const tested = readFileSync(file('alerts.test.yaml'), 'utf8')
    expect(alerts.length).toBeGreaterThan(5)
    expect(alerts.filter((name) => !tested.includes(`alertname: ${name}\n`))).toEqual([])
  })
})
