import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { metricRows } from '../../src/lib/service/metric-rows.ts'
import { startPrometheus } from '../support/prometheus.ts'
import { startRoundRobin } from '../support/round-robin.ts'
import { diagnose, useEnclaveService } from '../support/serve-enclave.ts'

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly description: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets: readonly { readonly expr: string; readonly legendFormat?: string }[]
}

const dashboard = JSON.parse(readFileSync(new URL('../../deploy/grafana/dashboard.json', import.meta.url), 'utf8')) as {
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] }
}
const { panels } = dashboard
const queries = panels.flatMap(({ title, targets }) =>
  targets.map(({ expr, legendFormat = '' }) => ({ title, expr, legendFormat })),
)
const variableQueries = dashboard.templating.list.flatMap(({ definition }) => definition ?? [])

const hasPrometheus = spawnSync('prometheus', ['--version']).status === 0
if (!hasPrometheus) process.stderr.write('SKIPPED: there is no prometheus here (Debian: the package prometheus)\n')

const open = useEnclaveService()

/** A query with the variables as Grafana fills them in. */
const filled = (query: string) =>
  query
    .replaceAll('$instance', '.*')
    .replaceAll('$profile', '.*')
    .replaceAll('$__range', '1h')
    .replaceAll('$__rate_interval', '1m')

describe('The dashboard', () => {
  test('asks for metrics that the service has', () => {
    const names = new Set(metricRows.map(({ name }) => name))
    const asked = [...queries.map(({ expr }) => expr), ...variableQueries].flatMap(
      (query) => query.match(/\bcloud_profile_\w+/g) ?? [],
    )
    expect(asked.length).toBeGreaterThan(12)
    expect(asked.filter((name) => !names.has(name))).toEqual([])
  })

  test('aggregates over processes, of each its last value: behind one address a scrape meets one of them', () => {
    const alone = queries.filter(({ expr }) => /(?<!(?:_over_time|increase)\()\bcloud_profile_\w+\{/.test(expr))
    expect(alone).toEqual([])
    expect(queries.filter(({ expr }) => !/\b(?:max|min|sum) by \(/.test(expr))).toEqual([])
  })

  test.runIf(hasPrometheus)(
    'has data in every panel: a real Prometheus scrapes two services, one of them broken',
    async () => {
      const { serve } = await open()
      const good = await serve('clientSecret')
      const bad = await serve('clientSecret', { PLATFORM_CLIENT_SECRET: 'wrong' })
      for (const service of [good, bad]) {
        await diagnose(service)
        const headers = { 'content-type': 'application/json' }
        await service.request('/admin/functions/smokeTest', { method: 'POST', headers, body: '{"input":""}' })
      }
      const balancer = await startRoundRobin([good.port, bad.port])
      onTestFinished(() => balancer.close())
      const targets = [good, bad, balancer].map(({ port }) => `127.0.0.1:${port}`)
      const prometheus = await startPrometheus({ targets })
      onTestFinished(() => prometheus.close())
      const scraped = () => prometheus.query('count(cloud_profile_scheduled_run_success)')
      await expect.poll(scraped).not.toEqual([])

      for (const { title, expr, legendFormat } of queries) {
        const find = async () => ({ title, series: (await prometheus.query(filled(expr))).length > 0 })
        await expect.poll(find).toEqual({ title, series: true })
        const series = await prometheus.query(filled(expr))
        const labels = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
        for (const { metric } of series) expect(Object.keys(metric)).toEqual(expect.arrayContaining(labels))
      }
      const verdicts = async () => {
        const series = await prometheus.query(filled(queries[0]?.expr ?? ''))
        return Object.fromEntries(series.map(({ metric, value }) => [metric['instance'], value[1]]))
      }
      // A scrape through the balancer meets one process; the next one meets the other.
      await expect.poll(verdicts).toEqual({
        [targets[0] ?? '']: '0',
        [targets[1] ?? '']: '3',
        // One bad process behind an address is seen, whichever the last scrape met.
        [targets[2] ?? '']: '3',
      })
      for (const query of variableQueries) {
        const [, selector = '', label = ''] = /^label_values\((.*), (\w+)\)$/.exec(query) ?? []
        const values = await prometheus.query(`count by (${label}) (${filled(selector)})`)
        expect(values.length).toBeGreaterThan(0)
      }
    },
  )
})
