export type JsonObject = Readonly<Record<string, unknown>>

/** Parameters of faults. Each has a default, so that a kind alone is a complete fault. */
export interface FaultParameters {
  /** Seconds. Default is 3600. */
  'status-429': { readonly retryAfterSeconds?: number }
  /** Milliseconds between two bytes. Default is 50. */
  'slow-drip': { readonly everyMilliseconds?: number }
  /** `number` defaults to 90033, a transient error; `error` and `status` to those of a known number. */
  aadsts: { readonly number?: number; readonly error?: string; readonly status?: number }
  /** Default is an audience that was not requested. */
  'wrong-audience': { readonly audience?: string }
  /** Default is `{ expires_in: 1e13 }`. `undefined` omits a field. */
  'replaced-fields': { readonly fields?: JsonObject }
  /** `status` defaults to 401, `body` (sent as JSON) to the good answer. */
  'replaced-status': { readonly status?: number; readonly body?: unknown }
  /** Default is `{ exp: 'tomorrow' }`. `undefined` omits a claim. */
  'replaced-claims': { readonly claims?: JsonObject }
  /** Default is 5. */
  'short-lived-token': { readonly seconds?: number }
  /** Added to the enclave's time: Date header, tokens, and its own checks of them. Default is 3600. */
  'clock-skew': { readonly seconds?: number }
}
