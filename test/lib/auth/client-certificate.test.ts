import { afterEach, expect, test, vi } from 'vitest'
import { readValidCertificate } from '../../../src/lib/auth/read-certificate.ts'
import { createCredential, createCredentialPlan, scopeFor } from '../../../src/lib/index.ts'
import { issueCertificate } from '../../support/issue-certificate.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { useEnclave } from '../../support/use-enclave.ts'

const running = useEnclave()
const directory = useTemporaryDirectory()
const scope = (service: 'arm' | 'storage' | 'keyVault') => scopeFor(running.cloud.profile.serviceAudiences[service])

const day = 86_400_000
afterEach(() => vi.useRealTimers())
const write = (name: string, text: string) => directory.write(name, text)
const pemOf = async (dates: { readonly validFrom: Date; readonly validTo: Date }) => {
  const { certificate, key } = await issueCertificate('client', { type: 'RSA', ...dates })
  return `${certificate}${key}`
}
const later = () => pemOf({ validFrom: new Date(Date.now() + day), validTo: new Date(Date.now() + 2 * day) })
const planWith = (path: string) => {
  const { cloud: enclave, files } = running
  const env = { ...enclave.environment('clientCertificate', files), PLATFORM_CLIENT_CERTIFICATE_PATH: path }
  return createCredentialPlan(enclave.profile, env)
}

test('a renewed certificate that is not valid yet leaves the one in force', async () => {
  const path = write('client.pem', running.cloud.clientCertificatePem)
  const plan = planWith(path)
  const credential = await createCredential(plan)
  await credential.getToken(scope('arm'))
  write('client.pem', await later())
  await expect(credential.getToken(scope('storage'))).resolves.toMatchObject({ token: expect.any(String) })
  await expect((await createCredential(plan)).getToken(scope('keyVault'))).resolves.toBeTruthy()
})

test('a certificate in force that has expired gives way to the one that is not valid yet', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const soon = await pemOf({ validFrom: new Date(Date.now() - day), validTo: new Date(Date.now() + day / 2) })
  const source = { certificatePath: write('expiring.pem', soon) }
  const before = await readValidCertificate(source)
  write('expiring.pem', await later())
  expect(await readValidCertificate(source)).toBe(before)
  vi.setSystemTime(Date.now() + day / 2 + 1)
  // Its error names the date from which it is valid.
  expect(await readValidCertificate(source)).not.toBe(before)
})

test.each([
  ['is not valid yet', 'certificateValidFrom', later],
  [
    'has expired',
    'certificateExpiredAt',
    async () => pemOf({ validFrom: new Date(Date.now() - 2 * day), validTo: new Date(Date.now() - day) }),
  ],
])('the error of a rejected certificate that %s has the date', async (_, name, pem) => {
  const credential = await createCredential(planWith(write('dated.pem', await pem())))
  await expect(credential.getToken(scope('arm'))).rejects.toMatchObject({
    code: 'CLIENT_ASSERTION_REJECTED',
    evidence: { [name]: expect.stringMatching(/^20\d\d-.*Z$/) },
  })
})
