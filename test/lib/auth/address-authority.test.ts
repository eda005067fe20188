import { describe, expect, test } from 'vitest'
import { createCredential, createCredentialPlan, parseCloudProfile, scopeFor } from '../../../src/lib/index.ts'
import { refusalOfIPv6 } from '../../support/ipv6.ts'
import { useEnclaves } from '../../support/use-enclave.ts'

const skipped = refusalOfIPv6 === undefined ? '' : ` [skipped: ${refusalOfIPv6}]`

describe.skipIf(refusalOfIPv6 !== undefined).each([false, true])(
  `an authority that is an IPv6 address (federation service: %s)${skipped}`,
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
