import { beginOf, endOf } from '../../base/certificates.ts'
import { refusedClient } from '../explain-refusal.ts'
import { certificateAssertion, type ClientCertificate } from '../library/certificate-assertion.ts'
import { explainCertificateDates } from '../read-certificate.ts'
import { readCertificate } from '../read-certificate.ts'
import { readSecret, secretFrom, type SecretSource } from '../credential-file.ts'
import { invalidResponse, type BasePlan, type Mode } from './mode.ts'
import { signInWith, type SignIn } from './mode.ts'

export interface ClientCertificatePlan extends BasePlan, SignIn {
  readonly mode: 'clientCertificate'
  /** PEM file with the certificate and its private key. */
  readonly certificatePath: string
  readonly certificatePassword?: SecretSource
}

type CertificateSource = Pick<ClientCertificatePlan, 'certificatePath' | 'certificatePassword'>

/** The last certificate that was valid, for each plan. */
const inForce = new WeakMap<CertificateSource, ClientCertificate>()

/** A renewed certificate is used from the time at which it is valid, and until then the one before. */
async function readValid(plan: CertificateSource): Promise<ClientCertificate> {
  const { certificatePath, certificatePassword: source } = plan
  const read = await readCertificate(certificatePath, source && (await readSecret(source)))
  const before = inForce.get(plan)
  const isTooEarly = beginOf(read.certificate) > Date.now()
  if (isTooEarly && before !== undefined && endOf(before.certificate) > Date.now()) return before
  if (!isTooEarly) inForce.set(plan, read)
  return read
}

/** The client assertion of a certificate. An unusable file is reported before anything is contacted. */
export async function proofByCertificate(clientId: string, source: CertificateSource): Promise<() => Promise<string>> {
  await readValid(source)
  return certificateAssertion(clientId, () => readValid(source))
}

export const clientCertificate: Mode<ClientCertificatePlan> = {
  credential: 'ClientCertificateCredential',
  use: 'pipelines',
  needs: 'client id and PEM file',
  configured: ({ clientCertificatePath }) => clientCertificatePath !== undefined,
  plan(profile, settings) {
    const { clientCertificatePath, clientCertificatePassword, clientCertificatePasswordPath } = settings
    const certificatePassword = secretFrom(
      clientCertificatePassword,
      clientCertificatePasswordPath,
      'PLATFORM_CLIENT_CERTIFICATE_PASSWORD',
    )
    const [signIn, found] = signInWith(profile, settings, { PLATFORM_CLIENT_CERTIFICATE_PATH: clientCertificatePath })
    const password = certificatePassword === undefined ? {} : { certificatePassword }
    return { ...signIn, certificatePath: found.PLATFORM_CLIENT_CERTIFICATE_PATH, ...password }
  },
  async build(plan, { library, options }) {
    const { clientId } = plan
    const { tenantId, ...authority } = plan.authority
    const assertion = await proofByCertificate(clientId, plan)
    return new library.ClientAssertionCredential(tenantId, clientId, assertion, { ...options(), ...authority })
  },
  explain: (error, { certificatePath }) =>
    explainCertificateDates(refusedClient('CLIENT_ASSERTION_REJECTED')(error), certificatePath),
  failure: invalidResponse,
}
