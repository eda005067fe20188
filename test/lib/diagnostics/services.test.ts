import { expect, onTestFinished, test } from 'vitest'
import { createService } from '../../../src/lib/service/service.ts'
import { startForwardProxy } from '../../support/forward-proxy.ts'
import { privateDocument } from '../../support/profile-document.ts'
import { useEnclave } from '../../support/use-enclave.ts'

const running = useEnclave({ cloud: privateDocument('named.test') })

test('each entry of PLATFORM_SERVICES is probed in its cloud, and gets a token that is sent nowhere', async () => {
  const { cloud, files } = running
  const hosts = ['login.named.test', 'management.named.test', 'two.vault.named.test']
  const proxy = await startForwardProxy({
    ports: new Map(hosts.map((host) => [host, cloud.addressOf(host)?.port ?? 0])),
  })
  onTestFinished(() => proxy.close())
  const service = createService({
    ...cloud.environment('clientSecret', files),
    HTTPS_PROXY: `http://${proxy.host}`,
    PLATFORM_SERVICES: 'keyVault/two,nonsense/x',
  })
  const { hosts: rows, checks, diagram } = await (await service.diagnostics(() => {})).report()
  expect(rows.find(({ id }) => id === 'key-vault-two')).toMatchObject({
    host: 'two.vault.named.test',
    layers: { proxy: { status: 'pass' }, token: { status: 'pass' } },
  })
  expect(diagram.find(({ id }) => id === 'key-vault-two')).toMatchObject({ status: 'pass' })
  expect(cloud.requests.filter(({ role }) => role === 'vault')).toEqual([])
  expect(checks.find(({ id }) => id === 'nonsense-x.address')).toMatchObject({
    code: 'ARGUMENT_INVALID',
    message: /keyVault/,
  })
})
