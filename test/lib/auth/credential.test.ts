import { describe, expect, test } from 'vitest'
import { createCredentialPlan } from '../../../src/lib/index.ts'
import { createCredential } from '../../../src/lib/auth/credential.ts'
import { scopeFor } from '../../../src/lib/profile/scope.ts'
import { useEnclave } from './enclave-attempts.ts'

describe('a credential', () => {
  const running = useEnclave()
  const create = () => {
    const { enclave } = running()
    return createCredential(createCredentialPlan(enclave.profile, enclave.environment('clientSecret')))
  }
  const scope = () => scopeFor(running().enclave.resourceManagerAudience)
  const asked = () =>
    running()
      .enclave.requests.filter(({ role }) => role === 'login')
      .map(({ path }) => path.split('/').at(-1))

  test('makes one attempt for all who ask at the same time', async () => {
    running().enclave.clearRequests()
    const credential = create()
    const tokens = await Promise.all(Array.from({ length: 50 }, () => credential.getToken(scope())))
    expect(new Set(tokens.map((token) => token?.token)).size).toBe(1)
    expect(asked()).toEqual(['openid-configuration', 'token'])
  })

  test('reuses the token it has', async () => {
    const credential = create()
    await credential.getToken(scope())
    running().enclave.clearRequests()
    await credential.getToken(scope())
    expect(asked()).toEqual([])
  })

  test('ends by the signal of its caller, whatever the authority does', async () => {
    const { enclave } = running()
    await enclave.setFault({ kind: 'silent' }, 'login')
    const controller = new AbortController()
    const attempt = create().getToken(scope(), { abortSignal: controller.signal })
    controller.abort()
    await expect(attempt).rejects.toMatchObject({ code: 'TOKEN_CANCELLED' })
    await enclave.setFault(undefined)
  })

  test('works again after a failure, without waiting for the library to forget it', async () => {
    const { enclave } = running()
    const credential = create()
    await enclave.setFault({ kind: 'status-429' }, 'login/token')
    await expect(credential.getToken(scope())).rejects.toMatchObject({ code: 'AUTHORITY_THROTTLED' })
    await enclave.setFault(undefined)
    expect(await credential.getToken(scope())).toMatchObject({ token: expect.any(String) as string })
  })

  test('asks no host of a variable that the library would follow', async () => {
    process.env['AZURE_REGIONAL_AUTHORITY_NAME'] = 'westus'
    try {
      expect(await create().getToken(scope())).toMatchObject({ token: expect.any(String) as string })
      expect(process.env['AZURE_REGIONAL_AUTHORITY_NAME']).toBe('westus')
    } finally {
      delete process.env['AZURE_REGIONAL_AUTHORITY_NAME']
    }
  })
})
