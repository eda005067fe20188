import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createService } from '../../../src/lib/service/service.ts'
import { renderMetrics } from '../../../src/lib/service/metrics.ts'
import { useEnclave } from '../../support/use-enclave.ts'

const running = useEnclave()
const silent = () => {}

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A resource manager that answers 401 with a header to a request without a token, and 200 to any other. */
async function startResourceManager(challenge: string): Promise<string> {
  const server = createServer(({ headers }, response) => {
    if (headers.authorization === undefined) response.writeHead(401, { 'www-authenticate': challenge }).end()
    else response.end('{"value":[]}')
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test.each(['x:y', 'urn:a:b', 'mailto:a@b.test', 'https://', 'null/'])(
  'a resource manager that names %s as its authority takes down neither the report nor the metrics',
  async (authority) => {
    const endpoint = await startResourceManager(`Bearer authorization_uri="${authority}", error="invalid_token"`)
    const service = createService({
      ...running.cloud.environment('clientSecret', running.files),
      PLATFORM_OVERRIDE_CUSTOM_PROFILE: 'true',
      PLATFORM_RESOURCE_MANAGER_ENDPOINT: endpoint,
    })
    const report = await (await service.diagnostics(silent)).report()
    expect(report.checks.filter(({ code }) => code === 'UNEXPECTED')).toEqual([])
    expect(report.token.status).toBe('acquired')
    expect(report.checks).toContainEqual(
      expect.objectContaining({ id: 'resource-manager.challenge', code: 'CHALLENGE_MISSING' }),
    )
    const { body } = await renderMetrics(service.cloud, service.settings, await service.cachedState(silent))
    expect(body).toMatch(/^cloud_profile_token_success(\{.*\})? 1$/m)
  },
)
