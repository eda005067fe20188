import { describe, expect, test } from 'vitest'
import { checkServiceToken, configuredServices } from '../../../src/lib/diagnostics/services.ts'
import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'

const { profile } = explainProfile({ env: {} })

describe('PLATFORM_SERVICES', () => {
  const { endpoints, problems } = configuredServices(profile, ['serviceBus/myns', 'sqlServer/mydb', 'nonsense/x'])

  test('names endpoints by the services of the profile', () => {
    expect(endpoints.map(({ id, url, isPlainTcp }) => [id, url.host, isPlainTcp])).toEqual([
      ['service-bus-myns', 'myns.servicebus.usgovcloudapi.net:5671', undefined],
      ['sql-server-mydb', 'mydb.database.usgovcloudapi.net:1433', true],
    ])
  })

  test('an entry that the profile cannot address is a failed check that names the known services', () => {
    expect(problems).toMatchObject([{ id: 'nonsense-x.address', status: 'fail', code: 'ARGUMENT_INVALID' }])
    expect(problems[0]?.message).toContain('serviceBus')
  })

  test('a token is requested for the audience of each, and is sent to nobody', async () => {
    const asked: string[] = []
    const tokenFor = async (audience: string) => (asked.push(audience), { token: 't', expiresOnTimestamp: 0 })
    const checks = await Promise.all(endpoints.map((endpoint) => checkServiceToken(endpoint, tokenFor)))
    expect(checks.map(({ status }) => status)).toEqual(['pass', 'pass'])
    expect(asked).toEqual(['https://servicebus.azure.net/', 'https://database.usgovcloudapi.net/'])
  })
})
