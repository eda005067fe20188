import { expect, test } from 'vitest'
import { createCredential, createCredentialPlan, scopeFor } from '../../../src/lib/index.ts'
import { issueCertificate } from '../../support/issue-certificate.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { useEnclave } from '../../support/use-enclave.ts'

const running = useEnclave()
const directory = useTemporaryDirectory()

const day = 86_400_000

test.each([
  ['is not valid yet', 'validFrom', 1],
  ['has expired', 'validTo', -2],
])('the error of a rejected certificate that %s has the date', async (_, name, from) => {
  const validFrom = new Date(Date.now() + from * day)
  const validTo = new Date(Date.now() + (from + 1) * day)
  const { certificate, key } = await issueCertificate('client', { type: 'RSA', validFrom, validTo })
  const { cloud, files } = running
  const PLATFORM_CLIENT_CERTIFICATE_PATH = directory.write('dated.pem', `${certificate}${key}`)
  const env = { ...cloud.environment('clientCertificate', files), PLATFORM_CLIENT_CERTIFICATE_PATH }
  const credential = await createCredential(createCredentialPlan(cloud.profile, env))
  await expect(credential.getToken(scopeFor(cloud.resourceManagerAudience))).rejects.toMatchObject({
    code: 'CLIENT_ASSERTION_REJECTED',
    evidence: { [name]: expect.stringMatching(/^20\d\d-.*Z$/) },
  })
})
