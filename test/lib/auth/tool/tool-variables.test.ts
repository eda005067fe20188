import { expect, test } from 'vitest'
import { toolVariables } from '../../../../src/lib/auth/tool/tool-variables.ts'

const value = 'value'

test.each([
  'PATH',
  'Path',
  'HOME',
  'USERPROFILE',
  'APPDATA',
  'SystemRoot',
  'COMSPEC',
  'TMPDIR',
  'LANG',
  'LC_ALL',
  'AZURE_CONFIG_DIR',
  'AZURE_EXTENSION_DIR',
  'AZURE_CORE_COLLECT_TELEMETRY',
  'XDG_CONFIG_HOME',
  'REQUESTS_CA_BUNDLE',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'HTTPS_PROXY',
  'https_proxy',
  'HTTP_PROXY',
  'http_proxy',
  'ALL_PROXY',
  'all_proxy',
  'NO_PROXY',
  'no_proxy',
])('the tool gets %s', (name) => {
  expect(toolVariables({ [name]: value })).toEqual({ [name]: value })
})

test.each([
  'PLATFORM_CLIENT_SECRET',
  'PLATFORM_PASSWORD',
  'PLATFORM_HOST_KEY',
  'AZURE_CLIENT_SECRET',
  'IDENTITY_HEADER',
  'MSI_SECRET',
  'NODE_OPTIONS',
  'PYTHONPATH',
  'LD_PRELOAD',
  'AZURE_AUTHORITY_HOST',
])('the tool does not get %s', (name) => {
  expect(toolVariables({ [name]: value })).toEqual({})
})
