import { expect, test } from 'vitest'
import { createRequestLog } from '../../../src/enclave/http/request-log.ts'

test('only the latest requests stay', () => {
  const log = createRequestLog()
  for (let index = 0; index <= 50_000; index++)
    log.record({ role: 'login', method: 'GET', path: `/${index}`, query: '' })(200)
  expect(log.requests).toHaveLength(50_000)
  expect(log.requests[0]?.path).toBe('/1')
})
