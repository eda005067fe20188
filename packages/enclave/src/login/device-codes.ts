import { randomBytes, randomInt } from 'node:crypto'
import { type EnclaveResponse, escapeMarkup, html, type EnclaveRequest, formOf } from '../http/exchange.ts'
import { LoginError } from './login-error.ts'
import type { RequestedResource } from './requested-resource.ts'

export interface DeviceCodeTiming {
  /** Seconds. Default is 900. */
  readonly lifetimeSeconds?: number
  /** Seconds between polls. Default is 1. */
  readonly intervalSeconds?: number
}

type Decision = 'approved' | 'declined' | 'expired'

interface SignIn extends Required<DeviceCodeTiming> {
  readonly userCode: string
  readonly deviceCode: string
  readonly clientId: string
  readonly requested: RequestedResource
  readonly expiresAt: number
  decision?: Decision
  lastPoll?: number
}

export interface DeviceCodes extends ReturnType<typeof createDeviceCodes> {}

/** Without letters and digits that look alike. */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ2345679'

export function createDeviceCodes(timing: DeviceCodeTiming, now: () => number) {
  const { lifetimeSeconds = 900, intervalSeconds = 1 } = timing
  const byDeviceCode = new Map<string, SignIn>()
  /** Finds a pending sign-in by its code. Letter case and separators don't matter. */
  const findPending = (typed: string): Readonly<SignIn> | undefined => {
    const code = typed.toUpperCase().replaceAll(/[^A-Z\d]/g, '')
    return [...byDeviceCode.values()].find(
      ({ userCode, decision, expiresAt }) => userCode === code && decision === undefined && now() < expiresAt,
    )
  }

  return {
    findPending,
    start: (clientId: string, requested: RequestedResource): Readonly<SignIn> => {
      const signIn: SignIn = {
        userCode: Array.from({ length: 9 }, () => alphabet[randomInt(alphabet.length)]).join(''),
        deviceCode: randomBytes(48).toString('base64url'),
        clientId,
        requested,
        lifetimeSeconds,
        intervalSeconds,
        expiresAt: now() + lifetimeSeconds * 1000,
      }
      byDeviceCode.set(signIn.deviceCode, signIn)
      return signIn
    },
    /**
     * Responds to a poll by the device.
     *
     * @throws {LoginError} 70016 pending (`slow_down` if polled too soon), 70018 declined or unknown, 70019 expired.
     */
    redeem: (deviceCode: string, clientId: string): RequestedResource => {
      const signIn = byDeviceCode.get(deviceCode)
      if (signIn === undefined || signIn.clientId !== clientId) throw new LoginError(70018)
      const { decision, lastPoll = -Infinity } = signIn
      if (decision === 'expired' || now() >= signIn.expiresAt) throw new LoginError(70019)
      if (decision === 'declined') throw new LoginError(70018, '', { error: 'authorization_declined' })
      if (decision === undefined) {
        signIn.lastPoll = now()
        throw new LoginError(70016, '', now() - lastPoll < intervalSeconds * 500 ? { error: 'slow_down' } : {})
      }
      byDeviceCode.delete(deviceCode)
      return signIn.requested
    },
    /** @throws {RangeError} If no sign-in with this code is pending. */
    decide: (userCode: string, decision: Decision): void => {
      const signIn: SignIn | undefined = findPending(userCode)
      if (signIn === undefined) throw new RangeError(`No sign-in with the code ${userCode} is pending.`)
      signIn.decision = decision
    },
  }
}

const headers = {
  'content-security-policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  // With `no-referrer`, a form would send `Origin: null`, which the check of the origin refuses.
  'referrer-policy': 'same-origin',
}

/** The page where a person enters a device code. With `?user_code=` it asks for the decision. */
export function showApprovalPage(request: EnclaveRequest, deviceCodes: DeviceCodes): EnclaveResponse {
  const typed = request.query.get('user_code') ?? ''
  if (typed === '') return page(200, 'Enter code', codeForm(''))
  const signIn = deviceCodes.findPending(typed)
  return signIn === undefined ? unknownCode(typed) : page(200, 'Approve sign-in?', decisionForm(signIn))
}

const decisions = new Map<string | undefined, readonly [Decision, title: string, outcome: string]>([
  ['approve', ['approved', 'Signed in', 'The device is signed in.']],
  ['decline', ['declined', 'Declined', 'The sign-in was declined.']],
])

/** Applies a person's decision. Refuses a form of another site. */
export function takeDecision(request: EnclaveRequest, deviceCodes: DeviceCodes, origin: string): EnclaveResponse {
  const { origin: sentFrom = origin } = request.headers
  if (sentFrom !== origin) return page(403, 'Refused', '<p>This form came from another site.</p>')
  const form = formOf(request)
  const typed = form.get('user_code') ?? ''
  if (deviceCodes.findPending(typed) === undefined) return unknownCode(typed)
  const [decision, title = '', outcome] = decisions.get(form.get('decision')) ?? []
  if (decision === undefined) return page(400, 'Decide', '<p>Choose Approve or Decline.</p>')
  deviceCodes.decide(typed, decision)
  return page(200, title, `<p role="status">${outcome} You can close this page.</p>`)
}

function unknownCode(typed: string): EnclaveResponse {
  return page(404, 'Code not found', `<p role="alert">No sign-in with this code is pending.</p>${codeForm(typed)}`)
}

function codeForm(typed: string): string {
  return `<form method="get"><label for="user_code">Code</label>
<input id="user_code" name="user_code" value="${escapeMarkup(typed)}" autocomplete="off" autocapitalize="characters" spellcheck="false" required>
<button>Next</button></form>`
}

function decisionForm({ userCode, clientId, requested }: SignIn): string {
  return `<p>Approve only if you started this sign-in and your device shows the same code.</p>
<dl><dt>Code</dt><dd>${userCode}</dd><dt>Application</dt><dd>${escapeMarkup(clientId)}</dd>
<dt>Access to</dt><dd>${escapeMarkup(requested.audience)}</dd></dl>
<form method="post"><input type="hidden" name="user_code" value="${userCode}">
<button name="decision" value="approve">Approve</button><button name="decision" value="decline">Decline</button></form>`
}

function page(status: number, title: string, content: string): EnclaveResponse {
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} · Enclave sign-in</title>
</head><body><main><h1>${title}</h1>${content}</main></body></html>`
  return html(status, body, headers)
}
