import { X509Certificate } from 'node:crypto'
import { beginOf, endOf } from '../base/certificate-dates.ts'
import { ServiceError } from '../errors.ts'
import { readCredentialFile } from './read-credential-file.ts'

/** Adds to the error of a rejected certificate that it has expired or is not valid yet. If its file cannot be read any more, the error stays as it is. */
export async function explainCertificateDates(error: ServiceError, path: string): Promise<ServiceError> {
  if (error.code !== 'CLIENT_ASSERTION_REJECTED') return error
  try {
    const certificate = new X509Certificate(await readCredentialFile(path, 'PLATFORM_CLIENT_CERTIFICATE_PATH'))
    const [begin, end] = [beginOf(certificate), endOf(certificate)]
    if (end <= Date.now()) return withDate(error, 'certificateExpiredAt', end, 'the certificate expired at')
    if (begin > Date.now()) return withDate(error, 'certificateValidFrom', begin, 'the certificate is not valid before')
    return error
  } catch {
    return error
  }
}

function withDate(error: ServiceError, name: string, time: number, phrase: string): ServiceError {
  const date = new Date(time).toISOString()
  return new ServiceError(error.code, `${error.message}; ${phrase} ${date}`, {
    cause: error.cause,
    evidence: { ...error.evidence, [name]: date },
  })
}
