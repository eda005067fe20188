import { expect, test } from 'vitest'
import { resolveCloudProfile } from '../../../src/lib/index.ts'
import { explainToken } from '../../../src/tools/why/explain-token.ts'

const government = resolveCloudProfile({ name: 'platform-us-government', env: {} })
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

test('a token is compared with the profile by its claims', () => {
  const now = new Date('2026-11-01T00:00:00Z')
  const seconds = now.getTime() / 1000
  const claims = {
    aud: 'https://management.azure.com',
    iss: 'https://login.microsoftonline.us/x/',
    nbf: seconds,
    exp: seconds - 1,
  }
  expect(explainToken(`${encode({ alg: 'none' })}.${encode(claims)}.x`, government, now)).toMatchObject([
    { claim: 'aud', isEqual: false },
    { claim: 'iss', isEqual: true },
    { claim: 'nbf', isEqual: true },
    { claim: 'exp', isEqual: false },
  ])
  expect(explainToken('opaque', government, now)).toBeUndefined()
})
