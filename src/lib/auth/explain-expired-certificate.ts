import { X509Certificate } from 'node:crypto'
import { ServiceError } from '../errors.ts'
import { readCredentialFile } from './read-credential-file.ts'

/** Adds to the error of a rejected certificate that it has expired. If its file cannot be read any more, the error stays as it is. */
export async function explainExpiredCertificate(error: ServiceError, path: string): Promise<ServiceError> {
  if (error.code !== 'CLIENT_ASSERTION_REJECTED') return error
  try {
    const { validToDate } = new X509Certificate(await readCredentialFile(path, 'PLATFORM_CLIENT_CERTIFICATE_PATH'))
    if (validToDate.getTime() > Date.now()) return error
    const certificateExpiredAt = validToDate.toISOString()
    return new ServiceError(error.code, `${error.message}; the certificate expired at ${certificateExpiredAt}`, {
      cause: error.cause,
      evidence: { ...error.evidence, certificateExpiredAt },
    })
  } catch {
    return error
  }
}
