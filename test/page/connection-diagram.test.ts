import { describe, expect, test } from 'vitest'
import type { DiagramNode } from '../../src/lib/diagnostics/report.ts'
import { connectionDiagram } from '../../src/page/connection-diagram.ts'
import { samples } from '../support/sample-reports.ts'

const { report } = samples.ok
const draw = (diagram: readonly DiagramNode[]) => String(connectionDiagram({ ...report, diagram }))
const [workload, proxy, endpoint] = report.diagram ?? []
if (workload === undefined || proxy === undefined || endpoint === undefined)
  throw new Error('The sample has no diagram')

describe('the connection diagram', () => {
  test.each([0, 1, 5, 40])('draws as many endpoints as there are: %i', (count) => {
    const endpoints = Array.from({ length: count }, (_, index) => ({ ...endpoint, name: `Endpoint ${index}` }))
    const names = [...draw([workload, proxy, ...endpoints]).matchAll(/<b>(.*?)<\/b>/g)].map(([, name]) => name)
    expect(names).toEqual(['This workload', 'Proxy', ...endpoints.map(({ name }) => name)])
  })

  test.each(Object.keys(samples) as (keyof typeof samples)[])(
    'judges nothing itself: nodes and edges of the state %s are those of the report',
    (state) => {
      const { report } = samples[state]
      const html = String(connectionDiagram(report))
      const nodes = [...html.matchAll(/<li class="node (\w+)"/g)].map(([, status]) => status)
      const edges = [...html.matchAll(/<span class="edge (\w+)"/g)].map(([, status]) => status)
      expect(nodes).toEqual(report.diagram?.map(({ status }) => status))
      expect(edges).toEqual(report.diagram?.slice(1).map(({ edge }) => edge))
      for (const { trouble } of report.diagram ?? []) expect(html).toContain(trouble ?? '')
    },
  )

  test('an edge that failed has a sign, and the trouble stands in words beside the node', () => {
    const html = draw([workload, proxy, { ...endpoint, status: 'fail', edge: 'fail', trouble: 'name unknown' }])
    expect(html).toMatch(/class="edge fail"\s*><svg.*?#failed/s)
    expect(html).toContain('<em>name unknown</em><i>failed</i>')
    expect(draw([workload, proxy, { ...endpoint, status: 'fail' }])).not.toMatch(/class="edge \w+"\s*><svg/)
  })

  test('says where there is nothing to connect to', () => {
    const { host: _, ...none } = { ...endpoint, status: 'none' as const, edge: 'none' as const }
    const html = draw([workload, { ...proxy, status: 'none' }, none])
    expect(html).toContain('<small>none, direct</small>')
    expect(html).toContain('<small>not configured</small>')
    const diagram = [workload, { ...proxy, status: 'none' as const }]
    const bypassed = connectionDiagram({ ...report, diagram, runtime: { ...report.runtime, proxy: true } })
    expect(String(bypassed)).toContain('<small>bypassed for every endpoint</small>')
  })

  test('a report without one draws none', () => {
    expect(connectionDiagram({ ...report, diagram: [] })).toBeUndefined()
  })
})
