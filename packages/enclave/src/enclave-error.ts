/** An error that a person can correct: the message says how. */
export class EnclaveError extends Error {
  override readonly name = 'EnclaveError'
}
