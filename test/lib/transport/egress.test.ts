import { describe, expect, test } from 'vitest'
import { errorOf } from '../../support/error-of.ts'
import { proxyFor, withScheme } from '../../../src/lib/transport/egress.ts'
import { proxyOf } from '../../../src/lib/transport/guarded-client.ts'

const proxy = 'http://proxy.test:3128'
type Row = readonly [env: Readonly<Record<string, string>>, url: string, variable: string | undefined]

const rows: readonly Row[] = [
  [{}, 'https://login.enclave.test/', undefined],
  [{ HTTPS_PROXY: proxy }, 'https://login.enclave.test/', 'HTTPS_PROXY'],
  [{ HTTP_PROXY: proxy }, 'https://login.enclave.test/', 'HTTP_PROXY'],
  [{ HTTPS_PROXY: proxy }, 'http://management.enclave.test/', 'HTTPS_PROXY'],
  [{ http_proxy: proxy, ALL_PROXY: proxy }, 'https://login.enclave.test/', 'ALL_PROXY'],
  [{ HTTPS_PROXY: ' ', http_proxy: proxy }, 'https://login.enclave.test/', 'http_proxy'],
  [{ HTTPS_PROXY: proxy, NO_PROXY: 'login.enclave.test' }, 'https://login.enclave.test/', undefined],
  [{ HTTPS_PROXY: proxy, no_proxy: ' a.test , .enclave.test ' }, 'https://login.enclave.test/', undefined],
  [{ HTTPS_PROXY: proxy, NO_PROXY: 'enclave.test' }, 'https://login.enclave.test/', 'HTTPS_PROXY'],
  // A suffix covers the bare domain too.
  [{ HTTPS_PROXY: proxy, NO_PROXY: '.enclave.test' }, 'https://enclave.test/', undefined],
  [{ HTTPS_PROXY: proxy, NO_PROXY: '.enclave.test' }, 'https://other-enclave.test/', 'HTTPS_PROXY'],
  [{ HTTPS_PROXY: proxy, NO_PROXY: '*.enclave.test' }, 'https://login.enclave.test/', 'HTTPS_PROXY'],
  [{ HTTPS_PROXY: proxy, NO_PROXY: '10.0.0.0/8' }, 'https://10.0.0.1/', 'HTTPS_PROXY'],
  [{ HTTPS_PROXY: proxy, NO_PROXY: 'login.enclave.test:443' }, 'https://login.enclave.test/', 'HTTPS_PROXY'],
  [{ HTTPS_PROXY: proxy, NO_PROXY: '127.0.0.1' }, 'https://127.0.0.1:8443/', undefined],
]

/** Beyond the library's rules. */
const addressRows = [
  ...['fd00::1', 'FD00:0:0::1', '[fd00::1]', 'fd00:0000::0.0.0.1', 'fd00::1%eth0'].map((entry) => [entry] as const),
  ...['fd00::2', '[fd00::1]:8443', 'fd00::/8', '::1'].map((entry) => [entry, 'HTTPS_PROXY'] as const),
].map(([NO_PROXY, variable]): Row => [{ HTTPS_PROXY: proxy, NO_PROXY }, 'https://[fd00::1]:8443/', variable])

describe('the proxy of a host', () => {
  test.each([...rows, ...addressRows])('with %j, %s takes %s', (env, url, variable) => {
    expect(proxyFor(new URL(url), env).proxy?.variable).toBe(variable)
  })

  test('names the variable that NO_PROXY overrules', () => {
    const env = { HTTPS_PROXY: proxy, NO_PROXY: 'a.test' }
    const exemption = { exempted: 'HTTPS_PROXY', noProxy: 'NO_PROXY', exemptingEntry: 'a.test', ignoredEntries: [] }
    expect(proxyFor(new URL('https://a.test/'), env)).toEqual(exemption)
    const lower = { HTTPS_PROXY: proxy, no_proxy: 'b.test, .a.test' }
    expect(proxyFor(new URL('https://x.a.test/'), lower)).toMatchObject({
      noProxy: 'no_proxy',
      exemptingEntry: '.a.test',
    })
  })

  test.each(['*', '*.a.test', 'a.test', 'X.A.test', 'x.a.test:443', 'A.TEST'])(
    'names the entry %s, which exempts the host in other tools',
    (entry) => {
      const env = { HTTPS_PROXY: proxy, NO_PROXY: `.b.test,${entry}` }
      expect(proxyFor(new URL('https://x.a.test/'), env).ignoredEntry).toBe(entry)
      expect(proxyFor(new URL('https://x.c.test/'), env).ignoredEntry).toBe(entry === '*' ? '*' : undefined)
    },
  )

  test.each(['robot:p@ss/word', 'robot:3128#x'])('an account that is not encoded (%s) is no host', (account) => {
    const env = { HTTPS_PROXY: `http://${account}@proxy.test:1` }
    expect(proxyFor(new URL('https://x.a.test/'), env).proxy).toEqual({ variable: 'HTTPS_PROXY' })
  })

  test.each([
    ['proxy.test:3128', 'http://proxy.test:3128'],
    ['robot:hush@proxy.test:3128', undefined],
    ['robot:3128@x', undefined],
    ['socks5://proxy.test:1', undefined],
  ])('the URL that %s means is %s', (value, url) => {
    expect(withScheme(value)).toBe(url)
  })

  test('names the entries of NO_PROXY that other tools would understand', () => {
    const env = { HTTPS_PROXY: proxy, NO_PROXY: '*.a.test,.b.test,10.0.0.0/8,c.test:443,fd00::1,[fd00::2],fd00::/8' }
    const ignored = ['*.a.test', '10.0.0.0/8', 'c.test:443', 'fd00::/8']
    expect(proxyFor(new URL('https://x.a.test/'), env).ignoredEntries).toEqual(ignored)
  })
})

const file = /^HTTPS_PROXY names a proxy configuration file \(PAC\)/
const other = /^HTTPS_PROXY must be an http or https proxy URL/
test.each([
  ...['http://proxy.test/proxy.pac', 'file:///etc/proxy.pac', 'http://wpad/wpad.dat'].map(
    (value) => [value, file] as const,
  ),
  ...['socks5://proxy.test:9', 'nonsense/x', 'http://u:p%ss@x:1'].map((value) => [value, other] as const),
])('a variable with %s is named without its value, and no request is sent', (HTTPS_PROXY, expected) => {
  const { code, message } = errorOf(() => proxyOf(new URL('https://login.test/'), 'AUTHORITY', { HTTPS_PROXY }))
  expect([code, message]).toEqual(['AUTHORITY_PROXY_FAILED', expect.stringMatching(expected)])
  expect(message).not.toContain(HTTPS_PROXY)
})
