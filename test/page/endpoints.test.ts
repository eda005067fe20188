import { describe, expect, test } from 'vitest'
import { durationText } from '../../src/lib/base/dates.ts'
import type { DiagramNode, HostCertificate, MatrixRow } from '../../src/lib/diagnostics/report.ts'
import { renderDiagram, renderMatrix } from '../../src/page/endpoints.ts'
import { samples } from '../support/sample-reports.ts'

const { report } = samples.ok
const draw = (diagram: readonly DiagramNode[]) => String(renderDiagram({ ...report, diagram }))
const [workload, proxy, endpoint] = report.diagram
if (workload === undefined || proxy === undefined || endpoint === undefined)
  throw new Error('The sample has no diagram')

describe('the connection diagram', () => {
  const states = Object.keys(samples) as (keyof typeof samples)[]
  test.each(states)('has the nodes and edges of the report in the state %s', (state) => {
    const { report } = samples[state]
    const html = String(renderDiagram(report))
    const nodes = [...html.matchAll(/<li class="node (\w+)"/g)].map(([, status]) => status)
    const edges = [...html.matchAll(/<span class="edge (\w+)"/g)].map(([, status]) => status)
    expect(nodes).toEqual(report.diagram.map(({ status }) => status))
    expect(edges).toEqual(report.diagram.slice(1).map(({ edge }) => edge))
    for (const { trouble } of report.diagram) expect(html).toContain(trouble ?? '')
  })

  test('an edge that failed has a sign, and the trouble stands in words beside the node', () => {
    const html = draw([workload, proxy, { ...endpoint, status: 'fail', edge: 'fail', trouble: 'does not resolve' }])
    expect(html).toMatch(/class="edge fail"\s*><svg.*?#failed/s)
    expect(html).toContain('<strong>does not resolve</strong><i>failed</i>')
    expect(draw([workload, proxy, { ...endpoint, status: 'fail' }])).not.toMatch(/class="edge \w+"\s*><svg/)
  })

  test('says where there is nothing to connect to', () => {
    const { host: _, ...none } = { ...endpoint, status: 'none' as const, edge: 'none' as const }
    const html = draw([workload, { ...proxy, status: 'none' }, none])
    expect(html).toContain('<small>none, direct</small>')
    expect(html).toContain('<small>not configured</small>')
    const diagram = [workload, { ...proxy, status: 'none' as const }]
    const bypassed = renderDiagram({ ...report, diagram, runtime: { ...report.runtime, proxy: true } })
    expect(String(bypassed)).toContain('<small>bypassed for every endpoint</small>')
  })
})

const { report: failed } = samples.failed
const now = new Date(failed.checkedAt)
const day = 86_400_000
const at = (days: number) => new Date(now.getTime() + days * day).toISOString()

function life(validFrom: string, validTo: string, later = 0): string {
  const certificate: HostCertificate = { subject: 'a', issuer: 'b', validFrom, validTo }
  const names = { id: 'authority', name: 'Login authority', role: 'AUTHORITY', host: 'login.example' } as const
  const host: MatrixRow = { ...names, layers: {}, certificate }
  const html = String(renderMatrix({ ...failed, hosts: [host] }, new Date(now.getTime() + later)))
  return html.slice(html.lastIndexOf('<td class')).replace(/\s+/g, ' ')
}

describe('the matrix', () => {
  const html = String(renderMatrix(failed, now)).replace(/\s+/g, ' ')

  test('has a row per host and a column per layer', () => {
    const columns = [...html.matchAll(/<th scope="col">(.*?)<\/th>/g)].map(([, name]) => name)
    expect(columns).toEqual(['Endpoint', 'Proxy', 'DNS', 'TCP', 'TLS', 'Response', 'Token', 'Certificate'])
    const rows = [...html.matchAll(/<th scope="row">([\w ]+) <code>/g)].map(([, name]) => name)
    expect(rows).toEqual(['Login authority', 'Resource manager', 'Metadata', 'Key vault', 'Storage account'])
  })

  test('each cell says its status in words and leads to the row of its check', () => {
    for (const host of failed.hosts) {
      for (const { status, check } of Object.values(host.layers)) {
        const word = { pass: 'passed', warn: 'warning', fail: 'failed', skip: 'skipped' }[status]
        const cell = `<td class="${status}"><a href="#${check.replaceAll('.', '\\.')}">.*?<i>${word} ?</i>`
        expect(html).toMatch(new RegExp(cell))
      }
    }
  })

  test.each([
    ['good for years', at(-10), at(3650), 'pass', '10 years left'],
    ['in its middle', at(-100), at(100), 'pass', '100 days left'],
    ['about to end', at(-90), at(10), 'warn', '10 days left'],
    ['ended', at(-100), at(-3), 'fail', 'expired 3 days ago'],
    ['not yet valid', at(1 / 12), at(300), 'fail', 'valid in 2 h'],
  ])('a certificate that is %s has a status and a humane number', (_, from, to, status, text) => {
    const cell = life(from, to)
    expect(cell).toContain(`"${status}">`)
    expect(cell).toContain(text)
  })

  test.each([0.4, 1.9, 18, 30.4999, 364.5])('%d days are left as the check says, however old the page is', (days) => {
    expect(life(at(-10), at(days), 12 * 3_600_000)).toContain(`</i>${durationText(days * 86_400)} left`)
  })
})
