import { describe, expect, test } from 'vitest'
import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
import { createStanding } from '../../../src/tools/run/contacts.ts'
import { childEnvironment } from '../../../src/tools/run/environment.ts'
import { knownClouds } from '../../../src/lib/clouds/known-clouds.ts'
import { withCloud } from '../../../src/tools/run/open-cloud.ts'
import { isFree } from '../../support/free-port.ts'
import type { Env } from '../../../src/lib/base/env.ts'

const government = explainProfile({ name: 'platform-us-government', env: {} }).profile
const resources = { proxy: new URL('http://127.0.0.1:1234'), trustFile: '/trust.pem', trustStore: '/trust.jks' }
const environmentOf = (env: Env) => childEnvironment(env, {}, resources)

describe('the environment of a program', () => {
  const proxy = 'http://user:pa55%3Aword@proxy.test:3128'
  test.each([
    ['CARGO_HTTP_PROXY', proxy],
    ['PIP_PROXY', proxy],
    ['npm_config_https-proxy', proxy],
    ['GLOBAL_AGENT_HTTP_PROXY', 'user:pa55%3Aword@proxy.test'],
    ['HTTP_PROXY_PASSWORD', 'pa55:word'],
    ['CLOUDSDK_PROXY_PASSWORD', 'another'],
    ['GIT_CONFIG_VALUE_0', proxy],
    ['JAVA_TOOL_OPTIONS', '-Dhttp.proxyUser=user -Dhttp.proxyPassword=pa55:word'],
    ['MAVEN_OPTS', '-Dhttps.proxyPassword=pa55%3Aword'],
    ['PIP_INDEX_HEADER', `Basic ${Buffer.from('user:pa55:word').toString('base64')}`],
  ])('has no password of the proxy of the operator: %s', (name, value) => {
    const values = Object.values(environmentOf({ HTTPS_PROXY: proxy, [name]: value }))
    for (const text of ['pa55', Buffer.from('user:pa55:word').toString('base64'), 'another'])
      expect(values.filter((each) => each.includes(text))).toEqual([])
  })

  test('keeps everything else', () => {
    const kept = { PATH: '/bin', PASSWORD: 'of-something-else', JAVA_TOOL_OPTIONS: '-Xmx1g', MYPROXY_SERVICE_NAME: 'x' }
    expect(environmentOf({ HTTP_PROXY: 'http://u:p@proxy.test', ...kept })).toMatchObject({
      ...kept,
      JAVA_TOOL_OPTIONS: expect.stringMatching(/^-Xmx1g /) as string,
    })
  })

  test('has no real secret where an enclave plays the cloud', async () => {
    const ours = ['PLATFORM_CLIENT_SECRET', 'PLATFORM_HOST_KEY', 'PLATFORM_PASSWORD_PATH', 'IDENTITY_HEADER']
    const names = [...ours, 'AZURE_STORAGE_KEY', 'AZURE_STORAGE_CONNECTION_STRING', 'ARM_ACCESS_KEY']
    const given = { ...Object.fromEntries(names.map((name) => [name, `real ${name}`])), KEPT: 'yes' }
    const { env } = await withCloud(government, given, { folder: '/none' }, async (cloud) => cloud)
    expect(env).toMatchObject({ KEPT: 'yes' })
    expect(Object.values(env).filter((value) => value?.startsWith('real'))).toEqual([])
  })
})

test('an enclave is closed if the work in it fails', async () => {
  let port = 0
  const work = withCloud(government, {}, { folder: '/none' }, async ({ enclave }) => {
    port = enclave.addressOf('login.microsoftonline.us')?.port ?? 0
    expect(await isFree(port)).toBe(false)
    throw new Error('failed')
  })
  await expect(work).rejects.toThrow('failed')
  expect(await isFree(port)).toBe(true)
})

describe('a host', () => {
  const addresses = {
    authorityHost: 'https://login.partner.test/',
    resourceManagerEndpoint: 'https://arm.partner.test/',
  }
  const taught = { ...government, ...addresses }
  const standingOf = createStanding(government, [], [...knownClouds, taught])
  test.each([
    ['login.microsoftonline.us', { service: 'login', allowed: true, isForeign: false }],
    ['eastus.login.microsoftonline.us', { service: 'login', allowed: true, isForeign: false }],
    ['eastus.login.microsoft.com', { service: 'login', allowed: false, isForeign: true }],
    ['westeurope.login.microsoftonline.com', { service: 'login', allowed: false, isForeign: true }],
    ['login.partner.microsoftonline.cn', { service: 'login', allowed: false, isForeign: true }],
    // A taught cloud that has the name of the profile.
    ['login.partner.test', { service: 'login', allowed: false, isForeign: true }],
    ['arm.partner.test', { service: 'resourceManager', allowed: false, isForeign: true }],
    ['data.blob.core.usgovcloudapi.net', { service: 'blob', allowed: true, isForeign: false }],
    ['169.254.169.254', { service: 'managedIdentity', allowed: true, isForeign: false }],
    ['nobody.test', { cloud: null, allowed: false, isForeign: false }],
  ])('%s', (host, standing) => {
    expect(standingOf({ host, port: 443 })).toMatchObject(standing)
  })
})
