import { describe, expect, test } from 'vitest'
import { ServiceError } from '../../src/lib/index.ts'
import { NetworkError } from '../../src/lib/transport/network-error.ts'

describe('A ServiceError of the library', () => {
  test('says what to change', () => {
    const { fix } = new ServiceError('CREDENTIAL_SETTING_MISSING', 'm', { evidence: { missing: 'PLATFORM_CLIENT_ID' } })
    expect(fix).toBe('Set PLATFORM_CLIENT_ID, or choose another AUTH_MODE.')
  })

  test.each([
    [new NetworkError('AUTHORITY', 'TIMEOUT', 'm'), true],
    [new NetworkError('SERVICE', 'THROTTLED', 'm'), true],
    [new NetworkError('AUTHORITY', 'UNTRUSTED', 'm'), false],
    [new ServiceError('TOKEN_TIMEOUT', 'm'), true],
    [new ServiceError('TOKEN_REJECTED', 'm', { evidence: { error: 'temporarily_unavailable' } }), true],
    [new ServiceError('CLIENT_SECRET_INVALID', 'm', { evidence: { error: 'invalid_client' } }), false],
  ])('$code is transient: %j', (error, isTransient) => {
    expect(error.isTransient).toBe(isTransient)
  })
})
