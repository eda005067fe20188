import { type ErrorCode, ServiceError } from '../errors.ts'

/** AADSTS numbers that concern a secret, even if the request had none. */
const ofSecret: ReadonlySet<string> = new Set(['AADSTS7000215', 'AADSTS7000222'])

/**
 * A client without a secret cannot have a wrong one: authorities that give no number refuse every client with `invalid_client`, and
 * AADSTS7000218 asks for a secret or an assertion.
 *
 * @param code What a refused client means in this mode.
 */
export function refusedClient(code: ErrorCode): (error: ServiceError) => ServiceError {
  return (error) => {
    if (error.code !== 'CLIENT_SECRET_INVALID' || ofSecret.has(error.evidence?.['errorNumber'] ?? '')) return error
    return new ServiceError(code, error.message, { cause: error.cause, evidence: error.evidence ?? {} })
  }
}
