import { expect, test } from 'vitest'
import { toolVariables } from '../../../src/lib/settings/credential-values.ts'

test.each([
  'PATH',
  'Path',
  'SystemRoot',
  'LC_ALL',
  'AZURE_CONFIG_DIR',
  'AZURE_CORE_COLLECT_TELEMETRY',
  'XDG_CONFIG_HOME',
  'REQUESTS_CA_BUNDLE',
  'https_proxy',
  'NO_PROXY',
])('the command-line tool gets %s', (name) => {
  expect(toolVariables({ [name]: 'value' })).toEqual({ [name]: 'value' })
})

test.each([
  'PLATFORM_CLIENT_SECRET',
  'PLATFORM_HOST_KEY',
  'AZURE_CLIENT_SECRET',
  'IDENTITY_HEADER',
  'MSI_SECRET',
  'NODE_OPTIONS',
  'PYTHONPATH',
  'LD_PRELOAD',
  'AZURE_AUTHORITY_HOST',
])('the command-line tool does not get %s', (name) => {
  expect(toolVariables({ [name]: 'value' })).toEqual({})
})
