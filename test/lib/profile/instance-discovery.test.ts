import { describe, expect, test } from 'vitest'
import { builtInProfiles } from '../../../src/lib/clouds/known-clouds.ts'
import { shouldDisableInstanceDiscovery, wellKnownAuthorityHosts } from '../../../src/lib/profile/identity-provider.ts'
import { parseCloudProfile } from '../../../src/lib/profile/parse-cloud-profile.ts'

const wellKnown = ['login.microsoftonline.com', 'login.microsoftonline.us', 'login.chinacloudapi.cn']

describe('Instance-discovery rule', () => {
  test('the well-known authority hosts are exactly three: public, government and China', () => {
    expect(wellKnownAuthorityHosts()).toEqual(wellKnown.map((host) => `https://${host}`))
  })

  test.each(wellKnown)('%s: enabled, however the URL is written', (host) => {
    for (const url of [
      `https://${host}`,
      `https://${host}/`,
      `https://${host}///`,
      `https://${host}:443/`,
      `HTTPS://${host.toUpperCase()}/`,
    ]) {
      expect(shouldDisableInstanceDiscovery(url)).toBe(false)
    }
  })

  test.each([
    ['a host of an enclave', 'https://login.enclave.example/'],
    ['a federation service', 'https://adfs.enclave.example/adfs/'],
    ['a well-known host with a path', 'https://login.microsoftonline.us/adfs/'],
    ['a well-known host with another port', 'https://login.microsoftonline.us:8443/'],
    ['a well-known host over http', 'http://login.microsoftonline.us/'],
    ['a host that only begins like a well-known one', 'https://login.microsoftonline.com.evil.example/'],
    ['a host that only ends like a well-known one', 'https://evil-login.microsoftonline.com/'],
    ['a well-known host as user information', 'https://login.microsoftonline.com@evil.example/'],
    ['a well-known host with user information', 'https://user@login.microsoftonline.com/'],
    ['a well-known host with a query', 'https://login.microsoftonline.com/?x'],
    ['a fourth cloud', 'https://login.sovcloud-identity.fr/'],
    ['another name of a well-known host', 'https://login.windows.net/'],
    ['a host without a scheme', 'login.microsoftonline.com'],
    ['nothing', ''],
  ])('%s: disabled', (_what, url) => {
    expect(shouldDisableInstanceDiscovery(url)).toBe(true)
  })

  test.each([
    ['platform-commercial', false],
    ['platform-us-government', false],
    ['platform-us-gov-secret', true],
    ['platform-us-gov-topsecret', true],
    ['platformstack-custom', true],
  ])('%s: disabled is %s', (name, disabled) => {
    const { authorityHost } = parseCloudProfile(builtInProfiles.get(name))
    expect(shouldDisableInstanceDiscovery(authorityHost)).toBe(disabled)
  })
})
