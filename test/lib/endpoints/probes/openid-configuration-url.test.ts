import { expect, test } from 'vitest'
import { openIdConfigurationUrl } from '../../../../src/lib/endpoints/probes/openid-configuration-url.ts'

test.each([
  [
    'https://login.enclave.test/',
    'contoso',
    'https://login.enclave.test/contoso/v2.0/.well-known/openid-configuration',
  ],
  ['https://login.enclave.test:443/x/', 't', 'https://login.enclave.test/x/t/v2.0/.well-known/openid-configuration'],
  [
    'https://login.enclave.test/',
    'enclave.test',
    'https://login.enclave.test/enclave.test/v2.0/.well-known/openid-configuration',
  ],
  ['https://adfs.enclave.test/', 'adfs', 'https://adfs.enclave.test/adfs/.well-known/openid-configuration'],
  ['https://adfs.enclave.test/ADFS/', 'adfs', 'https://adfs.enclave.test/adfs/.well-known/openid-configuration'],
  ['https://adfs.enclave.test/adfs/', 'contoso', 'https://adfs.enclave.test/adfs/.well-known/openid-configuration'],
])('the OpenID configuration of %s and tenant %s is at %s', (authorityHost, tenant, url) => {
  expect(openIdConfigurationUrl(authorityHost, tenant).href).toBe(url)
})
