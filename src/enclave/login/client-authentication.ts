import type { Directory } from '../directory.ts'
import type { VerifyAssertion } from './client-assertion.ts'
import { LoginError } from './login-error.ts'

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** A confidential client must authenticate. A public client may, and is then checked. */
export type ClientKind = 'confidential' | 'public'

/**
 * Identifies and authenticates the client.
 *
 * @returns Its client id.
 * @throws {LoginError} 900144, 700016, 7000215, 7000218, or a number of the assertion.
 */
export async function authenticateClient(
  form: ReadonlyMap<string, string>,
  kind: ClientKind,
  directory: Directory,
  verifyAssertion: VerifyAssertion,
): Promise<string> {
  const clientId = form.get('client_id')
  if (clientId === undefined) throw new LoginError(900144, "Parameter: 'client_id'.")
  const known = kind === 'public' ? directory.isPublicClient(clientId) : clientId === directory.clientId
  if (!known) throw new LoginError(700016, `Application: '${clientId}'.`)

  const assertion = form.get('client_assertion')
  const secret = form.get('client_secret')
  if (assertion !== undefined) {
    if (form.get('client_assertion_type') !== assertionType) {
      throw new LoginError(900144, `Parameter: 'client_assertion_type', '${assertionType}'.`)
    }
    await verifyAssertion(assertion, clientId)
  } else if (secret !== undefined) {
    if (secret !== directory.clientSecret) throw new LoginError(7000215)
  } else if (kind === 'confidential') {
    throw new LoginError(7000218)
  }
  return clientId
}
