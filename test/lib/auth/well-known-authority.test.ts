import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
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

describe('a real credential of a well-known authority', () => {
  const running = useEnclave()
  let proxied: ProxiedAuthority
  beforeAll(async () => {
    proxied = await startProxiedAuthority(running.cloud.ca, authorities.flat())
  })
  afterEach(() => void proxied.proxy.tunnels.splice(0))
  afterAll(() => proxied.close())

  describe.each(authorities)('%s', (host, tokenHost) => {
    test.each(['clientSecret', 'clientCertificate', 'workloadIdentity', 'default'] as const)(
      'gets a token with %s, and asks nobody else',
      async (mode) => {
        const { cloud: enclave, files } = running
        const own = { HTTPS_PROXY: proxied.proxyUrl, PLATFORM_TENANT_ID: 'tenant.test' }
        const profile = { ...enclave.profile, authorityHost: `https://${host}/` }
        const plan = createCredentialPlan(profile, { ...enclave.environment(mode, files), ...own })
        const credential = await createCredential(plan)
        expect(await credential.getToken(scopeFor(enclave.resourceManagerAudience))).toMatchObject({ token: 'opaque' })
        expect(new Set(proxied.proxy.tunnels.map((tunnel) => tunnel.host))).toEqual(new Set([`${tokenHost}:443`]))
      },
    )
  })
})

const withoutIPv6 = skipped(refusalOfIPv6)

describe.skipIf(refusalOfIPv6 !== undefined).each([false, true])(
  `an authority that is an IPv6 address (federation service: %s)${withoutIPv6}`,
  (adfs) => {
    const open = useEnclaves()
    test.each(['clientSecret', 'clientCertificate', 'workloadIdentity', 'usernamePassword', 'default'] as const)(
      'gives a token to %s, also when the address is spelled out',
      async (mode) => {
        const { enclave, files } = await open({ hostName: '[::1]', federationService: adfs })
        const long = enclave.authorityHost.replace('[::1]', '[0:0:0:0:0:0:0:1]')
        for (const authorityHost of [enclave.authorityHost, long]) {
          const profile = parseCloudProfile({ ...enclave.profile, authorityHost })
          const credential = await createCredential(createCredentialPlan(profile, enclave.environment(mode, files)))
          const token = await credential.getToken(scopeFor(enclave.resourceManagerAudience))
          expect(token?.token).toMatch(/^ey/)
        }
      },
    )
  },
)
