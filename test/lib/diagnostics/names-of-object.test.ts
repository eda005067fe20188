import { expect, test } from 'vitest'
import { renderReport } from '../../../src/page/page.ts'
import { createService } from '../../../src/lib/service/service.ts'

const names = ['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf']

test.each(names.map((name, index) => [name, ['clientSecret', 'managedIdentity', 'default'][index % 3] ?? ''] as const))(
  'hosts, a client and a tenant called %s make a report as any other, as %s',
  async (name, mode) => {
    const service = createService({
      AUTH_MODE: mode,
      PLATFORM_AUTHORITY_HOST: `https://${name}/`,
      PLATFORM_RESOURCE_MANAGER_ENDPOINT: `https://${name}/${name}/`,
      PLATFORM_RESOURCE_MANAGER_AUDIENCE: `https://${name}/`,
      PLATFORM_STORAGE_ACCOUNT: 'constructor',
      PLATFORM_TENANT_ID: name.replaceAll('_', ''),
      PLATFORM_CLIENT_ID: name,
      PLATFORM_CLIENT_SECRET: name,
      IDENTITY_ENDPOINT: `http://${name}/`,
      PATH: '/nowhere',
      PLATFORM_TOKEN_TIMEOUT_MS: '120000',
      // No host is contacted: the proxy refuses.
      HTTPS_PROXY: 'http://127.0.0.1:1',
    })
    const { settings, cloud } = service
    const report = await (await service.diagnostics(() => {})).report({ explain: true, history: true })
    expect(report.status).toBe('failed')
    expect(report.checks.filter(({ code }) => code === 'UNEXPECTED')).toEqual([])
    expect(report.checks.find(({ id }) => id === 'authority.proxy')).toMatchObject({
      code: 'AUTHORITY_PROXY_FAILED',
    })
    expect(renderReport(report, cloud, settings).html).toContain(name.toLowerCase())
  },
)
