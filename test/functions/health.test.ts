import { expect, test } from 'vitest'
import { offline } from '../support/environment.ts'
import { useService } from '../support/use-service.ts'

const service = useService(offline)
const health = async () => (await service().request('/api/health')).json()

test('health says what is known before and after a token was asked for, and asks for none itself', async () => {
  expect(await health()).toEqual({
    status: 'warn',
    description: 'Cloud profile platform-us-gov-secret',
    checks: { profile: [{ status: 'warn', output: 'platform-us-gov-secret' }], token: [], smokeTest: [] },
  })
  await health()
  expect(await health()).toMatchObject({ checks: { token: [] } })
  await service().request('/api/diagnostics')
  expect(await health()).toMatchObject({
    status: 'warn',
    checks: { token: [{ status: 'warn', output: 'CREDENTIAL_SETTING_MISSING' }] },
  })
})
