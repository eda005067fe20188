import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../support/free-port.ts'
import { useProcesses } from '../../support/processes.ts'
import { inBuiltProject, startCommand } from '../../support/start-command.ts'

const processes = useProcesses()
const account = Buffer.from('operator:hunter2-password').toString('base64')
const secrets = ['hunter2-password', account, 'planted-client-secret']
// What other packages print by themselves, each by a separate variable.
const levels = ['AZURE_LOG_LEVEL', 'TYPESPEC_RUNTIME_LOG_LEVEL', 'PLATFORM_LOG_LEVEL'].map((name) => [name, 'verbose'])
const loud = { DEBUG: '*', ...Object.fromEntries(levels) } as NodeJS.ProcessEnv

test('The password of a proxy is sent to it, and printed by no service with any DEBUG and AZURE_LOG_LEVEL', async () => {
  const authorizations = new Set<string | undefined>()
  const proxy = createServer(({ headers }, response) => {
    authorizations.add(headers['proxy-authorization'])
    response.end('{}')
  }).on('connect', ({ headers }, socket) => {
    authorizations.add(headers['proxy-authorization'])
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
  })
  const address = `http://operator:hunter2-password@127.0.0.1:${await listen(proxy)}`
  onTestFinished(() => void proxy.close())
  const env = {
    ...loud,
    AUTH_MODE: 'clientSecret',
    PLATFORM_AUTHORITY_HOST: 'https://login.proxied.test/',
    PLATFORM_RESOURCE_MANAGER_ENDPOINT: 'http://management.proxied.test/',
    PLATFORM_RESOURCE_MANAGER_AUDIENCE: 'https://management.proxied.test/',
    PLATFORM_TENANT_ID: 'tenant.test',
    PLATFORM_CLIENT_ID: 'client',
    PLATFORM_CLIENT_SECRET: 'planted-client-secret',
    PLATFORM_TOKEN_TIMEOUT_MS: '120000',
    HTTPS_PROXY: address,
    http_proxy: address,
  }
  const service = processes.start(startCommand, inBuiltProject(env))
  const [, origin = ''] = await service.printed(/Server running on (\S+)/)
  const report = await (await fetch(`${origin}/api/diagnostics`)).text()
  service.signal('SIGTERM')
  const { stdout, stderr } = await service.ended
  expect(report).toContain('AUTHORITY_')
  expect(authorizations).toEqual(new Set([`Basic ${account}`]))
  for (const secret of secrets) expect(report + stdout + stderr).not.toContain(secret)
})
