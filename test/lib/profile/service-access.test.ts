import { errorOf } from '../../support/error-of.ts'
import { describe, expect, test } from 'vitest'
import { resolveCloudProfile } from '../../../src/lib/cloud.ts'
import type { CloudProfile } from '../../../src/lib/clouds/cloud-profile.ts'
import { serviceAccess, serviceUrl, type ServiceId } from '../../../src/lib/profile/service-access.ts'

const government = resolveCloudProfile({ name: 'platform-us-government', env: {} })

const withAddress = { ...government, services: { ...government.services, blob: { url: 'https://localhost:33631' } } }

describe('serviceAccess has the form that the clients of a service want', () => {
  const storage = 'https://storage.azure.com/'

  test.each<[ServiceId, string | undefined, url: string, audience: string]>([
    ['blob', 'data', 'https://data.blob.core.usgovcloudapi.net/', storage],
    ['queue', 'data', 'https://data.queue.core.usgovcloudapi.net/', storage],
    ['keyVault', 'v', 'https://v.vault.usgovcloudapi.net/', 'https://vault.usgovcloudapi.net/'],
    ['microsoftGraph', undefined, 'https://graph.microsoft.us/', 'https://graph.microsoft.us/'],
    ['monitorIngestion', 'm', 'https://m.ingest.monitor.azure.us/', 'https://monitor.azure.us'],
    ['logAnalytics', undefined, 'https://api.loganalytics.us/', 'https://api.loganalytics.us'],
  ])('%s', (name, account, url, audience) => {
    const identifier = audience.replace(/\/$/, '')
    const scope = `${identifier}/.default`
    // Storage clients call a scope an audience.
    const ofClient = audience === storage ? scope : identifier
    expect(serviceAccess(government, name, account)).toMatchObject({
      url,
      host: new URL(url).host,
      audience,
      scope,
      clientOptions: { audience: ofClient, credentials: { scopes: [scope] } },
    })
  })

  test('a registry takes tokens of the resource manager where it has no audience, without the final slash', () => {
    const { services, ...profile } = government
    const others = Object.fromEntries(Object.entries(services ?? {}).filter(([name]) => name !== 'containerRegistry'))
    const { audience } = serviceAccess({ ...profile, services: others }, 'containerRegistry', 'r')
    expect(audience).toBe('https://management.usgovcloudapi.net')
  })

  test('a vault whose audience lies outside its domain switches the check of the challenge off', () => {
    const options = (profile: CloudProfile) =>
      serviceAccess(profile, 'keyVault', 'v').clientOptions.disableChallengeResourceVerification
    const serviceAudiences = { ...government.serviceAudiences, keyVault: 'https://vault.adfs.region.example/guid/' }
    expect([options(government), options({ ...government, serviceAudiences })]).toEqual([false, true])
  })

  test.each([
    ['sqlServer', 'database.usgovcloudapi.net', 1433],
    ['postgresql', 'postgres.database.usgovcloudapi.net', 5432],
    ['serviceBus', 'servicebus.usgovcloudapi.net', 5671],
  ] as const)('%s has a host and a port, and no https address', (name, suffix, port) => {
    const service = serviceAccess(government, name, 'x')
    expect(service).toMatchObject({ host: `x.${suffix}`, port })
    expect(() => service.url).toThrow(`${name} has no https address`)
    expect(Object.keys(service)).not.toContain('url')
  })

  test('with the base address of the graph, and the endpoint of queries', () => {
    const optionsOf = (service: ServiceId) => serviceAccess(government, service).clientOptions
    expect(optionsOf('microsoftGraph')).toMatchObject({ baseUrl: 'https://graph.microsoft.us/' })
    expect(optionsOf('logAnalytics')).toMatchObject({ endpoint: 'https://api.loganalytics.us' })
  })

  test('an address that an operator wrote wins over the suffix, with its port', () => {
    const expected = { url: 'https://localhost:33631/', host: 'localhost', port: 33_631 }
    expect(serviceAccess(withAddress, 'blob', 'data')).toMatchObject(expected)
    expect(serviceUrl(withAddress, 'storage', 'data')).toBe(expected.url)
  })
})

describe('What the cloud does not publish is an error that says so', () => {
  const { services: _, ...bare } = government
  test.each<[fix: RegExp, read: () => unknown]>([
    [/^If the cloud has the service, add services\.serviceBus to a/, () => serviceAccess(bare, 'serviceBus', 'x')],
    [/^Add services\.trafficManager\.audience to a/, () => serviceAccess(government, 'trafficManager', 'x').scope],
    [/^Pass the name of the resource: service\('blob', NAME\)\.$/, () => serviceAccess(government, 'blob').url],
  ])('%s', (fix, read) => {
    expect(errorOf(read)).toMatchObject({ code: 'SERVICE_NOT_PUBLISHED', fix })
  })

  test('but a misspelled service is an argument', () => {
    expect(() => serviceAccess(government, 'servicebus' as 'serviceBus')).toThrow(/did you mean serviceBus\?/)
  })

  test('only when it is read', () => {
    expect(serviceAccess(government, 'eventGrid', 'x').url).toBe('https://x.eventgrid.azure.us/')
    expect(serviceAccess(government, 'sqlServer').scope).toBe('https://database.usgovcloudapi.net/.default')
  })
})
