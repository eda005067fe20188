import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startProxiedAuthority, type ProxiedAuthority } from '../../support/proxied-authority.ts'
import { openCredential } from '../../../src/lib/auth/credential.ts'
import { isServiceError } from '../../../src/lib/errors.ts'
import { createCredentialPlan, scopeFor } from '../../../src/lib/index.ts'
import { useEnclave } from '../../support/use-enclave.ts'

describe('a credential behind a proxy', () => {
  const running = useEnclave()
  let proxied: ProxiedAuthority
  beforeAll(async () => {
    proxied = await startProxiedAuthority(running.cloud.ca)
  })
  afterEach(() => {
    proxied.proxy.tunnels.splice(0)
    Object.assign(proxied.proxy, { refusal: undefined, information: '' })
  })
  afterAll(() => proxied.close())

  const attempt = async (env: Record<string, string>, authorityHost = proxied.authorityHost): Promise<string> => {
    const { cloud: enclave } = running
    const variables = { ...enclave.environment('clientSecret'), ...env }
    const plan = createCredentialPlan({ ...enclave.profile, authorityHost }, variables)
    try {
      await openCredential(plan, { timeoutMs: 120_000 }).getToken(scopeFor(enclave.resourceManagerAudience))
      return 'acquired'
    } catch (error) {
      if (isServiceError(error)) return `${error.code}: ${error.message}`
      throw error
    }
  }

  test('asks through it, whatever the environment of the process says', async () => {
    expect(await attempt({ HTTPS_PROXY: proxied.proxyUrl, PLATFORM_TENANT_ID: 'tenant.test' })).toBe('acquired')
    expect(new Set(proxied.proxy.tunnels.map(({ host }) => host))).toEqual(
      new Set([new URL(proxied.authorityHost).host]),
    )
  })

  test('gets its token through one that sends an informational response first', async () => {
    proxied.proxy.information = 'HTTP/1.1 100 Continue\r\n\r\n'
    expect(await attempt({ HTTPS_PROXY: proxied.proxyUrl, PLATFORM_TENANT_ID: 'tenant.test' })).toBe('acquired')
  })

  test.each(['socks5://127.0.0.1:9', 'nonsense', 'http://u:p%ss@x:1'])(
    'a proxy variable that is no URL of a proxy (%s) is one cause, about the proxy',
    async (value) => {
      expect(await attempt({ HTTPS_PROXY: value })).toMatch(
        /^AUTHORITY_PROXY_FAILED: HTTPS_PROXY must be an http or https proxy URL/,
      )
      expect(await attempt({ HTTPS_PROXY: value })).not.toContain(value)
    },
  )

  test.each(['', ' '])('a blank variable (%j) counts as unset', async (blank) => {
    const env = { HTTPS_PROXY: blank, http_proxy: proxied.proxyUrl, PLATFORM_TENANT_ID: 'tenant.test' }
    expect(await attempt(env)).toBe('acquired')
    expect(await attempt({ HTTPS_PROXY: blank }, running.cloud.authorityHost)).toBe('acquired')
  })
})
