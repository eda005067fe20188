import { readFileSync } from 'node:fs'
import type { Enclave, EnclaveFiles } from '../../../src/enclave/enclave.ts'
import { privateKeyLines, type KnownSecret } from './leak-detector.ts'

/** All that an enclave and its files hold which nobody may be shown. What it issues is found on the wire. */
export function enclaveSecrets(enclave: Enclave, files: EnclaveFiles): KnownSecret[] {
  const { clientSecret, password, clientCertificatePem, managedIdentity } = enclave
  return [
    { name: 'client secret', value: clientSecret },
    { name: 'password', value: password },
    { name: 'identity header', value: managedIdentity.appService.header },
    { name: 'federated assertion', value: readFileSync(files.federatedTokenPath, 'utf8') },
    ...privateKeyLines(clientCertificatePem),
  ]
}
