import { certificateAssertion } from '../certificate-assertion.ts'
import { readCertificate } from '../read-certificate.ts'
import type { Secret } from '../secret.ts'
import { invalidResponse, type BasePlan, type Mode } from './mode.ts'
import { signInWith, type SignIn } from './sign-in.ts'

export interface ClientCertificatePlan extends BasePlan, SignIn {
  readonly mode: 'clientCertificate'
  /** PEM file with the certificate and its private key. */
  readonly certificatePath: string
  readonly certificatePassword?: Secret
}

export const clientCertificate: Mode<ClientCertificatePlan> = {
  credential: 'ClientCertificateCredential',
  use: 'pipelines',
  needs: 'client id and PEM file',
  configured: ({ clientCertificatePath }) => clientCertificatePath !== undefined,
  plan(profile, settings) {
    const { clientCertificatePath, clientCertificatePassword: certificatePassword } = settings
    const [signIn, found] = signInWith(profile, settings, { PLATFORM_CLIENT_CERTIFICATE_PATH: clientCertificatePath })
    const password = certificatePassword === undefined ? {} : { certificatePassword }
    return { ...signIn, certificatePath: found.PLATFORM_CLIENT_CERTIFICATE_PATH, ...password }
  },
  async build({ authority: { tenantId, ...authority }, clientId, ...plan }, { library, options }) {
    const read = () => readCertificate(plan.certificatePath, plan.certificatePassword?.reveal())
    // An unusable file is reported before anything is contacted.
    await read()
    const assertion = certificateAssertion(clientId, read)
    return new library.ClientAssertionCredential(tenantId, clientId, assertion, { ...options(), ...authority })
  },
  failure: invalidResponse,
}
