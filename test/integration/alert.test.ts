import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repository } from '../support/project-copy.ts'
import { serveApp, type ServedApp } from '../support/use-service.ts'
import { useEnclave } from '../support/use-enclave.ts'

const running = useEnclave()

interface Entry {
  readonly event: string
  readonly status?: string
}

/** The query of docs/operations.md as code: the number of runs, and of failed runs. */
function queryOf(service: ServedApp): { readonly runs: number; readonly failed: number } {
  const entries = service.logs
    .filter(({ category, message }) => category === 'app' && message.startsWith('{'))
    .map(({ message }) => JSON.parse(message) as Entry)
  const runs = entries.filter(({ event }) => event === 'smoke-test')
  return { runs: runs.length, failed: runs.filter(({ status }) => status === 'fail').length }
}

const run = async (service: ServedApp) => {
  await service.request('/admin/functions/smokeTest', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"input":""}',
  })
  await service.logged(({ message }) => message.includes('"event":"smoke-test",'))
}

const serve = () => serveApp({ ...running.cloud.environment('clientSecret', running.files) })

describe('The alert query of docs/operations.md, with default settings', () => {
  test('asks for what the service logs', () => {
    const guide = readFileSync(join(repository, 'docs/operations.md'), 'utf8')
    const [, query = ''] = /```kusto\n([^`]*)```/.exec(guide) ?? []
    expect(query).toContain('entry.event == "smoke-test"')
    expect(query).toContain('failed = countif(entry.status == "fail")')
    expect(query).toContain('where runs == 0 or failed > 0')
  })

  test('fires in an outage of the login authority', async () => {
    await running.cloud.setFault({ kind: 'refused' }, 'login')
    const service = await serve()
    await run(service)
    expect(queryOf(service)).toEqual({ runs: 1, failed: 1 })
    await service.close()
  })
})
