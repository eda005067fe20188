import { explainExpiredCertificate } from '../explain-expired-certificate.ts'
import { refusedClient } from '../explain-refused-client.ts'
import { certificateAssertion } from '../certificate-assertion.ts'
import { readCertificate } from '../read-certificate.ts'
import { readSecret, secretFrom, type SecretSource } from '../secret-file.ts'
import { invalidResponse, type BasePlan, type Mode } from './mode.ts'
import { signInWith, type SignIn } from './sign-in.ts'

export interface ClientCertificatePlan extends BasePlan, SignIn {
  readonly mode: 'clientCertificate'
  /** PEM file with the certificate and its private key. */
  readonly certificatePath: string
  readonly certificatePassword?: SecretSource
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
      settings,
    )
    const [signIn, found] = signInWith(profile, settings, { PLATFORM_CLIENT_CERTIFICATE_PATH: clientCertificatePath })
    const password = certificatePassword === undefined ? {} : { certificatePassword }
    return { ...signIn, certificatePath: found.PLATFORM_CLIENT_CERTIFICATE_PATH, ...password }
  },
  async build({ authority: { tenantId, ...authority }, clientId, ...plan }, { library, options }) {
    const { certificatePath, certificatePassword: source } = plan
    const read = async () => readCertificate(certificatePath, source && (await readSecret(source)))
    // An unusable file is reported before anything is contacted.
    await read()
    const assertion = certificateAssertion(clientId, read)
    return new library.ClientAssertionCredential(tenantId, clientId, assertion, { ...options(), ...authority })
  },
  explain: (error, { certificatePath }) =>
    explainExpiredCertificate(refusedClient('CLIENT_ASSERTION_REJECTED')(error), certificatePath),
  failure: invalidResponse,
}
