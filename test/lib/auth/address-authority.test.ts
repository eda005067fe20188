import { networkInterfaces } from 'node:os'
import { describe, expect, test } from 'vitest'
import { createCredential, createCredentialPlan, parseCloudProfile, scopeFor } from '../../../src/lib/index.ts'
import { useEnclaves } from '../../support/use-enclave.ts'

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
)

describe.runIf(hasIpv6).each([false, true])('an authority that is an IPv6 address (federation service: %s)', (adfs) => {
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
})
