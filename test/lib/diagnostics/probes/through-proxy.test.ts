import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createCertificateAuthority } from 'cloud-profile-enclave/enclave'
import { fixOf } from '../../../../src/lib/findings/catalog.ts'
import type { Check } from '../../../../src/lib/diagnostics/run.ts'
import { type ForwardProxy, startForwardProxy } from '../../../support/forward-proxy.ts'
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
      const troubles = troublesOf(await probeThrough(other.proxyUrl, other.authorityHost))
      expect(troubles).toEqual(['authority.document AUTHORITY_UNTRUSTED'])
    } finally {
      other.close()
    }
  })
})

describe('a proxy that fails is evidence of what to correct, and its fix says so', () => {
  let secure: ForwardProxy
  let untrusted: ForwardProxy
  beforeAll(async () => {
    const start = async (ca: typeof running.cloud.ca) => {
      const issued = await ca.issue({ commonName: 'localhost', usage: 'server', names: ['localhost'] })
      const tls = { key: issued.privateKeyPem, cert: issued.chainPem }
      return startForwardProxy({ ports: new Map(), tls }, 'localhost')
    }
    secure = await start(running.cloud.ca)
    untrusted = await start(await createCertificateAuthority({ commonName: 'Proxy Root' }))
  })
  afterEach(() => {
    const { proxy } = proxied
    Object.assign(proxy, { account: undefined, challenge: 'Basic realm="proxy"', refusal: undefined, isMute: false })
  })
  afterAll(() => {
    for (const each of [secure, untrusted]) each.close()
  })

  const plain = () => proxied.proxyUrl
  const host = () => proxied.proxy.host
  const account = { account: 'robot:p@ss/100%' }
  test.each<[what: string, url: () => string, fix: RegExp, evidence: () => object, proxy?: Partial<ForwardProxy>]>([
    ['a wrong port', () => 'http://127.0.0.1:1', /^Correct the host and port/, () => ({ problem: 'silent' })],
    ['a wrong host', () => 'http://proxy.nowhere.test:1', /no DNS server knows/, () => ({ problem: 'unknown name', proxy: 'proxy.nowhere.test:1' })], // prettier-ignore
    ['no scheme', () => `localhost:${new URL(plain()).port}`, /^Set HTTPS_PROXY to http:/, () => ({ proxyToSet: /^http:\/\/localhost:\d+$/ })], // prettier-ignore
    ['a file of rules', () => `${plain()}/proxy.pac`, /\(PAC\)/, () => ({ problem: 'configuration file' })],
    ['TLS to a plain proxy', () => plain().replace('http:', 'https:'), /^Replace https: with http:/, () => ({ problem: 'plain', proxy: host() })], // prettier-ignore
    ['no TLS to a proxy with TLS', () => `http://${secure.host}`, /^Replace http: with https:/, () => ({ problem: 'TLS', proxy: secure.host })], // prettier-ignore
    ['a name that is not in the certificate', () => `https://${secure.host.replace('localhost', '127.0.0.1')}`, /^Set the host of HTTPS_PROXY to a name/, () => ({ names: 'localhost' })], // prettier-ignore
    ['an unknown CA', () => `https://${untrusted.host}`, /NODE_EXTRA_CA_CERTS.*"Proxy Root"/, () => ({ issuer: '"Proxy Root"', problem: 'untrusted', proxy: untrusted.host })], // prettier-ignore
    ['no account', plain, /^Add the user name and password/, () => ({ problem: 'account missing' }), account],
    ['a wrong password', () => plain().replace('//', '//robot:no@'), /^Correct the user name and password/, () => ({ problem: 'account refused' }), account], // prettier-ignore
    ['a password that is not encoded', () => plain().replace('//', '//robot:p@ss/100%@'), /Percent-encode special/, () => ({ problem: 'account malformed' })], // prettier-ignore
    ['another authentication', plain, /accept Basic/, () => ({ authentication: 'Negotiate/NTLM' }), { ...account, challenge: 'Negotiate, NTLM' }], // prettier-ignore
    ['a refusal', plain, /to allow connections to/, () => ({ status: '403' }), { refusal: 403 }],
    ['no response', plain, /why it makes no connection to/, () => ({ problem: 'no connection' }), { isMute: true }],
  ])('%s', async (_what, url, fix, evidence, proxy = {}) => {
    Object.assign(proxied.proxy, proxy)
    const profile = { ...running.cloud.profile, authorityHost: proxied.authorityHost }
    const limit = proxy.isMute === true ? { timeoutMs: 300 } : {}
    const checks = await probe('authority', contextOf(profile, { env: { HTTPS_PROXY: url() }, ...limit }))
    const failed: readonly Check[] = checks.filter(({ status }) => status === 'fail')
    expect(failed).toMatchObject([{ code: 'AUTHORITY_PROXY_FAILED', evidence: evidence() }])
    // A report adds where the proxy comes from.
    const from = { host: 'login.proxied.test', proxy: host(), variable: 'HTTPS_PROXY' }
    expect(fixOf({ code: 'AUTHORITY_PROXY_FAILED', evidence: { ...from, ...failed[0]?.evidence } }).text).toMatch(fix)
    expect(JSON.stringify(failed)).not.toMatch(/p@ss|robot/)
  })
})
