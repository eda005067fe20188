import { endOfText } from '../base/end-of-text.ts'
import { refuseReferences } from '../profile/unresolved-reference.ts'
import { readCredentialFile } from './read-credential-file.ts'
import { isSecret, Secret } from '../base/secret.ts'

/** A secret in a file, such as a mounted Kubernetes Secret or a systemd credential. */
export class SecretFile {
  readonly path: string
  /** The variable that names the file. */
  readonly variable: string
  /** The last value, which must not appear in a log. */
  last?: Secret

  constructor(path: string, variable: string) {
    this.path = path
    this.variable = variable
  }

  /** @throws {ServiceError} `CREDENTIAL_FILE_UNREADABLE`, or `REFERENCE_UNRESOLVED` for a value that a tool should have replaced. */
  async read(): Promise<string> {
    const text = await readCredentialFile(this.path, this.variable)
    // Editors and `echo` end a file with a line break.
    const secret = text.slice(0, text.length - endOfText(text, /[\r\n]/).length)
    refuseReferences({ [`The value in the file of ${this.variable}`]: secret }, { areSecrets: true })
    this.last = new Secret(secret)
    return secret
  }
}

export type SecretSource = Secret | SecretFile

/** The secret of a variable, or of the file that its `_PATH` variable names. Settings refuse both at once. */
export function secretFrom(
  secret: Secret | undefined,
  path: string | undefined,
  variable: string,
): SecretSource | undefined {
  return path === undefined ? secret : new SecretFile(path, `${variable}_PATH`)
}

/** The value now: a file is read again, because a renewed secret must apply without a restart. */
export async function readSecret(source: SecretSource): Promise<string> {
  return isSecret(source) ? source.reveal() : source.read()
}
