import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { EnclaveAuthMode } from '../../src/enclave/enclave.ts'
import { enclaveAuthModes } from '../../src/enclave/environment.ts'
import { useEnclave } from '../support/use-enclave.ts'
import { command, useWindows, windowsPath } from './windows.ts'

/** The cloud runs on this machine, the command in Wine. */
const enclave = useEnclave()
const { temp, start, run } = useWindows()
const serving = /^Server running on (\S+)\r?$/m

/** The variables of the enclave in one mode, with the paths of its files as Windows writes them. */
function environmentFor(mode: EnclaveAuthMode): NodeJS.ProcessEnv {
  const { directory } = enclave.files
  const entries = Object.entries(enclave.cloud.environment(mode, enclave.files))
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value?.startsWith(directory) ? windowsPath(value) : value]),
  )
}

// tool.test.ts tests the credential of the platform's command-line tool.
test.each(enclaveAuthModes.filter((mode) => mode !== 'platformCli'))('acquires a token with %s', async (mode) => {
  const smokeTest = start([command, 'smoke-test', '--check-token'], { env: environmentFor(mode) })
  if (mode === 'deviceCode') {
    enclave.cloud.approveDeviceCode((await smokeTest.printed(/enter the code (\S+)/))[1] ?? '')
  }
  expect(await smokeTest.ended).toMatchObject({ code: 0 })
})

test('discovers a cloud', async () => {
  const { code, stdout } = await run(['discover', enclave.cloud.metadataEndpoint], {
    env: environmentFor('clientSecret'),
  })
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    expect.objectContaining({ authorityHost: enclave.cloud.authorityHost }),
  ])
})

test('checks the storage account through a proxy', async () => {
  const storage = Number(new URL(enclave.cloud.storageEndpoint).port)
  const proxy = createServer().on('connect', (_request, client: Socket) => {
    const upstream = connect(storage, '127.0.0.1', () => client.write('HTTP/1.1 200 Connection established\r\n\r\n'))
    client.on('error', () => upstream.destroy()).pipe(upstream)
    upstream.on('error', () => client.destroy()).pipe(client)
  })
  onTestFinished(() => void proxy.close())
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const { code, stdout } = await run(['smoke-test', '--check-token', '--verbose'], {
    env: {
      ...environmentFor('clientSecret'),
      HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      PLATFORM_STORAGE_ACCOUNT: 'one',
    },
  })
  expect([code, stdout]).toEqual([0, expect.stringMatching(/ok +storage\.accepts-token/)])
})

test('serve emulates the metadata endpoint of the cloud over https, from which discover drafts the cloud', async () => {
  const { chainPem, privateKeyPem } = await enclave.cloud.ca.issue({
    commonName: 'server',
    usage: 'server',
    names: ['localhost', '127.0.0.1'],
  })
  const [certificate, key] = [join(temp.path, 'server.pem'), join(temp.path, 'server-key.pem')]
  writeFileSync(certificate, chainPem)
  writeFileSync(key, privateKeyPem)
  const env = {
    ...environmentFor('clientSecret'),
    PORT: '0',
    PLATFORM_SERVE_METADATA: 'true',
    PLATFORM_TLS_CERTIFICATE_PATH: windowsPath(certificate),
    PLATFORM_TLS_KEY_PATH: windowsPath(key),
  }
  const [, url = ''] = await start([command, 'serve'], { env }).printed(serving)
  expect(url).toMatch(/^https:/)
  const { code, stdout } = await run(['discover', url], { env })
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    expect.objectContaining({ authorityHost: enclave.cloud.authorityHost }),
  ])
})

test('demo serves a page that is OK', async () => {
  const demo = start([command, 'demo'], { env: { PORT: '0' } })
  const [, url = ''] = await demo.printed(serving)
  expect(await (await fetch(`${url}/api/diagnostics`)).json()).toMatchObject({ status: 'ok' })
})
