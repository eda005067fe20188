import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createCredential, createCredentialPlan, scopeFor, type CredentialSettings } from '../../../src/lib/index.ts'
import { useEnclave } from '../../support/use-enclave.ts'

const running = useEnclave()
const scope = () => scopeFor(running.cloud.resourceManagerAudience)
const application = () => ({
  clientId: running.cloud.environment('clientSecret')['PLATFORM_CLIENT_ID'] ?? '',
  tenantId: running.cloud.tenantId,
})
const create = async (settings: CredentialSettings) =>
  createCredential(createCredentialPlan(running.cloud.profile, settings))

describe('A client assertion of the application', () => {
  test('gets a token, and is asked for again with each attempt', async () => {
    let asked = 0
    const getAssertion = async () => {
      asked++
      return readFileSync(running.files.federatedTokenPath, 'utf8').trim()
    }
    const credential = await create({ mode: 'clientAssertion', ...application(), getAssertion })
    expect(await credential.getToken(scope())).toMatchObject({ token: expect.any(String) as string })
    expect(asked).toBeGreaterThan(0)
  })

  test.each<[string, () => Promise<string>, RegExp]>([
    ['fails', async () => Promise.reject(new Error('no key store')), /getAssertion failed: Error$/],
    ['returns nothing', async () => '', /^The result of getAssertion must be an assertion/],
  ])('that %s is the error of the caller, and nothing is sent', async (_what, getAssertion, message) => {
    const credential = await create({ mode: 'clientAssertion', ...application(), getAssertion })
    const error: unknown = await credential.getToken(scope()).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'ARGUMENT_INVALID', message })
  })
})

test('an error of settings in code names options, and no variable', async () => {
  const { cloud } = running
  const { clientId, tenantId } = application()
  const wrong = await create({ mode: 'clientSecret', clientId, tenantId, clientSecret: 'wrong' })
  const missing = await create({ mode: 'clientCertificate', clientId, tenantId, clientCertificatePath: 'nothing.pem' })
  for (const [credential, code, text] of [
    [wrong, 'CLIENT_SECRET_INVALID', 'clientSecret'],
    [missing, 'CREDENTIAL_FILE_UNREADABLE', 'clientCertificatePath ("nothing.pem")'],
  ] as const) {
    const error: unknown = await credential.getToken(scope()).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code, fix: /^(?!.*(?:PLATFORM_|AUTH_MODE)).+/ })
    const { message, fix } = error as { readonly message: string; readonly fix: string }
    expect(message + fix).toContain(text)
    expect(error).not.toHaveProperty('change')
  }
  expect(() =>
    createCredentialPlan(cloud.profile, { mode: 'clientSecret', clientId, tenantId: 'common', clientSecret: 's' }),
  ).toThrow(/with mode: 'clientSecret'/)
})
