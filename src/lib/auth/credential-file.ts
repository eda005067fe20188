import { errorCode, FileProblem, isWideText, readRegularFile, wideTextProblem } from '../base/files.ts'
import { Secret, secretInFile } from '../base/secret.ts'
import { showValue } from '../base/printable.ts'
import { ServiceError, refuseReferences } from '../errors.ts'
import { isoDate } from '../base/dates.ts'
import { readTokenClaims } from './token-claims.ts'

/** Bytes of a certificate or token file. */
const maxFileSize = 1024 * 1024

/** The file that a setting names. */
export interface SettingFile {
  readonly path: string
  /** The variable, also of settings in code: `publicError` names their option. */
  readonly setting: string
  readonly isOption: boolean
}

/** Reads a file that a setting names, without waiting and up to a limit: a pipe would block a thread forever, and some system files never end. */
export const readCredentialFile = async (file: SettingFile): Promise<string> => new TextDecoder().decode(readText(file))

/** The bytes of a file with UTF-8 text. */
function readText(file: SettingFile): Buffer {
  let bytes: Buffer
  try {
    bytes = readRegularFile(file.path, maxFileSize)
  } catch (error) {
    const kind = error instanceof FileProblem ? error.kind : errorCode(error)
    throw unusableFile(file, fileProblems[kind ?? ''] ?? 'may not be read by this process', { cause: error })
  }
  if (isWideText(bytes)) throw unusableFile(file, wideTextProblem)
  if (secretInFile(bytes).trim() === '') throw unusableFile(file, 'is empty')
  return bytes
}

const fileProblems: Readonly<Record<string, string | undefined>> = {
  ENOENT: 'does not exist',
  'too large': 'is larger than 1 MiB',
  directory: "isn't a regular file",
  special: "isn't a regular file",
}

/** A file in the middle of a sentence. The path is shown only to the application that passed it. */
export function describeFile({ path, setting, isOption }: SettingFile): string {
  return isOption ? `the file of ${setting} (${showValue(path)})` : `the file that ${setting} names`
}

/** The error of a file that a setting names. */
export function unusableFile(
  file: SettingFile,
  problem: string,
  { cause, conversion }: { readonly cause?: unknown; readonly conversion?: string | undefined } = {},
): ServiceError {
  const [first = '', ...others] = describeFile(file)
  const message = `${first.toUpperCase()}${others.join('')} ${problem}`
  const fix = `Correct the path in ${file.setting}, and make its file readable for this process.`
  const evidence = file.isOption ? { problem } : { variable: file.setting, problem, conversion }
  return new ServiceError('CREDENTIAL_FILE_UNREADABLE', message, { cause, evidence, ...(file.isOption && { fix }) })
}

/** A secret, or its file, with the last value, which must not appear in a log. */
export type SecretSource = Secret | { readonly file: SettingFile; last?: Secret }

/** The current value. A file is read again each time, so that a renewed secret applies without a restart. */
export async function readSecret(source: SecretSource): Promise<string> {
  if (source instanceof Secret) return source.reveal()
  const secret = secretInFile(readText(source.file))
  refuseReferences({ [`The value in the file of ${source.file.setting}`]: secret }, { areSecrets: true })
  source.last = new Secret(secret)
  return secret
}

/** An identifier as a federated credential registers it, without spaces or hidden characters. */
const identifier = /^[\x21-\x7e]{1,200}$/

/** Adds the expiry of a rejected federated token, and the claims that the login authority must know. None is a secret, and no other is read. */
export async function explainRejectedAssertion(
  rejected: ServiceError,
  readToken: () => Promise<string>,
): Promise<ServiceError> {
  // Without its claims, the error is still correct.
  const token = await readToken().catch(() => '')
  if (token === '') return rejected
  const claims = readTokenClaims(token)
  if (claims === undefined) {
    const note = 'the file of the federated token contains no JWT'
    return rejected.again({ note, evidence: { problem: 'no JWT' } })
  }
  const { iss, sub, aud, exp = Infinity } = claims
  const shown = (value = '') => (identifier.test(value) ? value : undefined)
  const [issuer, subject, audience] = [iss, sub, [aud ?? []].flat()[0]].map(shown)
  const named = Object.entries({ issuer, subject, audience }).filter(([, value]) => value !== undefined)
  if (named.length === 0) return rejected
  const expiredAt = exp * 1000 < Date.now() ? isoDate(exp * 1000) : undefined
  return rejected.again({
    note: `the federated token has ${named.map((each) => each.join(' ')).join(', ')}`,
    evidence: { issuer, subject, assertionAudience: audience, expiredAt },
  })
}
