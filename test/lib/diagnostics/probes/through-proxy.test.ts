import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createCertificateAuthority } from 'cloud-profile-enclave/enclave'
import { startProxiedAuthority, type ProxiedAuthority } from '../../../support/proxied-authority.ts'
import { useEnclave } from '../../../support/use-enclave.ts'
import { contextOf, probe, troublesOf } from './enclave-context.ts'

const running = useEnclave()
let proxied: ProxiedAuthority

beforeAll(async () => {
  proxied = await startProxiedAuthority(running.cloud.ca)
})
afterEach(() => {
  proxied.proxy.tunnels.splice(0)
})
afterAll(() => proxied.close())

describe('the OpenID configuration behind a proxy', () => {
  const probeThrough = (url: string, authorityHost = proxied.authorityHost) =>
    probe('authority', contextOf({ ...running.cloud.profile, authorityHost }, { env: { HTTPS_PROXY: url } }))

  test('is asked through it, with its user name and password', async () => {
    const checks = await probeThrough(proxied.proxyUrl.replace('//', '//user:p%40ss@'))
    expect(troublesOf(checks)).toEqual([])
    const authorization = `Basic ${Buffer.from('user:p@ss').toString('base64')}`
    // One to check the proxy, one for the request.
    const tunnel = { host: new URL(proxied.authorityHost).host, authorization }
    expect(proxied.proxy.tunnels).toEqual([tunnel, tunnel])
    expect(JSON.stringify(checks)).not.toContain('p%40ss')
  })

  test('keeps the certificate check of the host itself', async () => {
    const other = await startProxiedAuthority(await createCertificateAuthority({ commonName: 'Another Root' }))
    try {
      expect(troublesOf(await probeThrough(other.proxyUrl, other.authorityHost))).toEqual([
        'authority.document AUTHORITY_UNTRUSTED',
      ])
    } finally {
      other.close()
    }
  })
})
