import { readCredentialFile, readSecret } from '../credential-file.ts'
import type { CertificateProof } from '../read-certificate.ts'
import {
  type Application,
  applicationKeys,
  buildApplication,
  type Certificate,
  certificatePasswordKeys,
  certificatePasswordOf,
  explainProof,
  type OptionalSecret,
} from './application.ts'
import { type BasePlan, clientVariables, fileOf, type Mode, type SignIn, planSignIn } from './mode.ts'

export type ClientCertificateSettings = Application &
  Certificate & { readonly mode: 'clientCertificate' } & OptionalSecret<'clientCertificatePassword'>

export interface ClientCertificatePlan extends BasePlan, SignIn, CertificateProof {
  readonly mode: 'clientCertificate'
}

export const clientCertificate: Mode<ClientCertificateSettings, ClientCertificatePlan> = {
  credential: 'ClientCertificateCredential',
  use: 'pipelines',
  needs: 'client id and PEM file',
  keys: { ...applicationKeys, clientCertificatePath: 'required', ...certificatePasswordKeys },
  isApplication: true,
  configured: ({ clientCertificatePath }) => clientCertificatePath !== undefined,
  plan(cloud, settings) {
    const file = fileOf(settings, 'clientCertificatePath')
    const [signIn, { clientCertificatePath }] = planSignIn(cloud, settings, { clientCertificatePath: file })
    return { ...signIn, certificateFile: clientCertificatePath, ...certificatePasswordOf(settings) }
  },
  build: buildApplication,
  explain: explainProof,
  // Terraform's provider reads only PKCS #12.
  async variables(plan) {
    const { certificateFile, certificatePassword } = plan
    await readCredentialFile(certificateFile)
    const password = certificatePassword && { AZURE_CLIENT_CERTIFICATE_PASSWORD: await readSecret(certificatePassword) }
    return { ...clientVariables(plan), AZURE_CLIENT_CERTIFICATE_PATH: certificateFile.path, ...password }
  },
}
