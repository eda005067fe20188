import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { endOf, renewalDays } from '../base/certificates.ts'
import { durationText, isoDate } from '../base/dates.ts'
import type { Settings } from '../settings/settings.ts'
import { type FoundCheck, runCheck } from './checks.ts'

const place = { id: 'credential.expiry' }

/** When the credential that this process holds expires, as far as that can be known. */
export async function checkCredential(
  { authMode, clientCertificatePath: path }: Pick<Settings, 'authMode' | 'clientCertificatePath'>,
  now: number,
): Promise<readonly FoundCheck[]> {
  if (authMode === 'clientSecret') {
    const message = 'The age and the expiry of a client secret are unknown here: only the login authority has them'
    return [{ ...place, status: 'skip', message, durationMs: 0 }]
  }
  if (authMode !== 'clientCertificate' || path === undefined) return []
  const certificate = await readFile(path, 'latin1')
    .then((text) => new X509Certificate(text))
    .catch(() => undefined)
  // The token attempt says why a certificate cannot be read.
  if (certificate === undefined) return []
  const end = endOf(certificate)
  const [validFrom, validTo] = [isoDate(Date.parse(certificate.validFrom)), isoDate(end)]
  if (validFrom === undefined || validTo === undefined) return []
  const seconds = (end - now) / 1000
  const date = validTo.slice(0, 10)
  const check = await runCheck(place, () =>
    seconds >= renewalDays * 86_400
      ? { message: `The client certificate expires in ${durationText(seconds)}, on ${date}` }
      : {
          status: 'warn',
          code: 'CERTIFICATE_EXPIRES_SOON',
          message: `The client certificate ${seconds > 0 ? `expires in ${durationText(seconds)}, on` : 'expired on'} ${date}`,
          evidence: { setting: 'PLATFORM_CLIENT_CERTIFICATE_PATH', validTo: date },
        },
  )
  return [
    {
      ...check,
      certificate: {
        subject: certificate.subject.slice(0, 80),
        issuer: certificate.issuer.slice(0, 80),
        validFrom,
        validTo,
      },
    },
  ]
}
