import { connect } from 'node:tls'
import { expect, test } from 'vitest'
import { useEnclave } from '../../support/use-enclave.ts'

const enclave = useEnclave({ discovery: true })
const discover = (endpoint: string) =>
  enclave.send(
    `${enclave.cloud.authorityHost}common/discovery/instance?${new URLSearchParams({ 'api-version': '1.1', authorization_endpoint: endpoint }).toString()}`,
  )

test('instance discovery describes the own authority, and no other', async () => {
  const { authorityHost, tenantId } = enclave.cloud
  const { host } = new URL(authorityHost)
  expect((await discover(`${authorityHost}${tenantId}/oauth2/v2.0/authorize`)).json()).toEqual({
    tenant_discovery_endpoint: `${authorityHost}${tenantId}/v2.0/.well-known/openid-configuration`,
    'api-version': '1.1',
    metadata: [{ preferred_network: host, preferred_cache: host, aliases: [host] }],
  })
  for (const endpoint of [
    'https://login.other.test/common/oauth2/v2.0/authorize',
    `${authorityHost}other.test/oauth2/v2.0/authorize`,
    `${authorityHost}${tenantId}?x/oauth2/v2.0/authorize`,
    authorityHost,
  ]) {
    const other = await discover(endpoint)
    expect([other.status, other.json()]).toMatchObject([400, { error: 'invalid_instance' }])
  }
})

test.each(['login.microsoftonline.com', 'login.microsoft.com', 'login.windows.net', 'localhost'])(
  'a client that resolves %s to the enclave trusts its certificate',
  async (servername) => {
    const port = Number(new URL(enclave.cloud.authorityHost).port)
    const socket = connect({ port, host: '127.0.0.1', servername, ca: enclave.cloud.ca.certificatePem })
    await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject))
    expect(socket.authorized).toBe(true)
    socket.destroy()
  },
)
