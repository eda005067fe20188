import { expect, test } from 'vitest'
import { offline } from '../support/environment.ts'
import { useService } from '../support/use-service.ts'

const service = useService(offline)

test('a scrape answers in the requested format', async () => {
  const text = await service().request('/api/metrics')
  expect(text.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const open = await service().request('/api/metrics', { headers: { accept: 'application/openmetrics-text' } })
  expect(open.headers.get('content-type')).toMatch(/^application\/openmetrics-text; version=1\.0\.0/)
  expect(await open.text()).toMatch(/# EOF\n$/)
})

test('it tells the build, the profile and the process, and no path, tenant or secret', async () => {
  const text = await (await service().request('/api/metrics')).text()
  expect(text).toMatch(/cloud_profile_build_info\{version="1\.0\.0",node="[\d.]+",fips="(on|off)",process="\d+"\} 1/)
  expect(text).toContain('profile="platform-us-gov-secret"')
  expect(text).toContain('process_resident_memory_bytes')
  expect(text).not.toMatch(/tenant|secret_|\/tmp\//i)
})
