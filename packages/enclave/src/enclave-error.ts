/** An error that a person can correct. The message says how. */
export class EnclaveError extends Error {
  override readonly name = 'EnclaveError'
}
