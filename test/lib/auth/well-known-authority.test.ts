import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCredential, createCredentialPlan, scopeFor, parseCloudProfile } from '../../../src/lib/index.ts'
import { startProxiedAuthority, type ProxiedAuthority } from '../../support/proxied-authority.ts'
import { refusalOfIPv6 } from '../../support/ipv6.ts'
import { skipped } from '../../support/missing.ts'
import { useEnclave, useEnclaves } from '../../support/use-enclave.ts'

/** The authority of each cloud, and who its tokens come from. */
const authorities = [
  ['login.microsoftonline.com', 'login.microsoftonline.com'],
  ['login.microsoftonline.us', 'login.microsoftonline.us'],
  ['login.chinacloudapi.cn', 'login.partner.microsoftonline.cn'],
] as const

const modes = ['clientSecret', 'clientCertificate', 'workloadIdentity', 'default'] as const

describe('a real credential of a well-known authority', () => {
  const running = useEnclave()
  let proxied: ProxiedAuthority
  beforeAll(async () => {
    proxied = await startProxiedAuthority(running.cloud.ca, authorities.flat())
  })
  afterAll(() => proxied.close())

  test.each(authorities)('of %s gets its token from %s, and asks nobody else', async (host, tokenHost) => {
    const { cloud: enclave, files } = running
    const own = { HTTPS_PROXY: proxied.proxyUrl, PLATFORM_TENANT_ID: 'tenant.test' }
    const profile = { ...enclave.profile, authorityHost: `https://${host}/` }
    for (const mode of modes) {
      const plan = createCredentialPlan(profile, { ...enclave.environment(mode, files), ...own })
      const token = (await createCredential(plan)).getToken(scopeFor(enclave.resourceManagerAudience))
      expect([mode, await token]).toMatchObject([mode, { token: 'opaque' }])
      const asked = proxied.proxy.tunnels.splice(0).map((tunnel) => tunnel.host)
      expect([mode, ...new Set(asked)]).toEqual([mode, `${tokenHost}:443`])
    }
  })
})

const open = useEnclaves()

test.skipIf(refusalOfIPv6 !== undefined).each([false, true])(
  `an IPv6 address is an authority of each mode, also spelled out (federation service: %s)${skipped(refusalOfIPv6)}`,
  async (federationService) => {
    const { enclave, files } = await open({ hostName: '[::1]', federationService })
    const long = enclave.authorityHost.replace('[::1]', '[0:0:0:0:0:0:0:1]')
    for (const mode of [...modes, 'usernamePassword'] as const)
      for (const authorityHost of [enclave.authorityHost, long]) {
        const profile = parseCloudProfile({ ...enclave.profile, authorityHost })
        const credential = await createCredential(createCredentialPlan(profile, enclave.environment(mode, files)))
        const { token } = await credential.getToken(scopeFor(enclave.resourceManagerAudience))
        expect([mode, token]).toMatchObject([mode, /^ey/])
      }
  },
)
