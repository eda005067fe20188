import { randomBytes, randomInt } from 'node:crypto'
import { type Answer, type EnclaveRequest, formOf, html } from '../http/route.ts'
import { LoginError } from './login-error.ts'
import type { RequestedResource } from './requested-resource.ts'

/** Lifetime and polling interval of a device code, in seconds. */
export interface DeviceCodeTiming {
  /** Default is 900. */
  readonly lifetimeSeconds?: number
  /** Default is 1. */
  readonly intervalSeconds?: number
}

type Decision = 'pending' | 'approved' | 'declined' | 'expired'

export interface DeviceSignIn {
  readonly userCode: string
  readonly deviceCode: string
  readonly clientId: string
  readonly requested: RequestedResource
  readonly lifetimeSeconds: number
  readonly intervalSeconds: number
}

/** A sign-in as the approval page shows it. */
export type PendingSignIn = Pick<DeviceSignIn, 'userCode' | 'clientId'> & Pick<RequestedResource, 'audience'>

export type DeviceCodes = ReturnType<typeof createDeviceCodes>

interface Entry extends DeviceSignIn {
  readonly expiresAt: number
  decision: Decision
  lastPoll: number
}

/** Letters and digits that cannot be confused. */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ2345679'

export function createDeviceCodes(timing: DeviceCodeTiming, now: () => number) {
  const { lifetimeSeconds = 900, intervalSeconds = 1 } = timing
  const byDeviceCode = new Map<string, Entry>()
  const find = (userCode: string): Entry | undefined =>
    [...byDeviceCode.values()].find(
      (entry) => entry.userCode === plainCode(userCode) && entry.decision === 'pending' && now() < entry.expiresAt,
    )

  return {
    start: (clientId: string, requested: RequestedResource): DeviceSignIn => {
      const entry: Entry = {
        userCode: Array.from({ length: 9 }, () => alphabet[randomInt(alphabet.length)]).join(''),
        deviceCode: randomBytes(48).toString('base64url'),
        clientId,
        requested,
        lifetimeSeconds,
        intervalSeconds,
        expiresAt: now() + lifetimeSeconds * 1000,
        decision: 'pending',
        lastPoll: Number.NEGATIVE_INFINITY,
      }
      byDeviceCode.set(entry.deviceCode, entry)
      return entry
    },
    /**
     * One poll by the device.
     *
     * @throws {LoginError} 70016 pending (as `slow_down` if polled far too soon), 70018 declined or unknown, 70019 expired.
     */
    redeem: (deviceCode: string, clientId: string): { readonly requested: RequestedResource } => {
      const entry = byDeviceCode.get(deviceCode)
      if (entry === undefined || entry.clientId !== clientId) throw new LoginError(70018)
      if (entry.decision === 'expired' || now() >= entry.expiresAt) throw new LoginError(70019)
      if (entry.decision === 'declined') throw new LoginError(70018, '', { error: 'authorization_declined' })
      if (entry.decision === 'pending') {
        const soon = now() - entry.lastPoll < intervalSeconds * 500
        entry.lastPoll = now()
        throw new LoginError(70016, '', soon ? { error: 'slow_down' } : {})
      }
      byDeviceCode.delete(deviceCode)
      return { requested: entry.requested }
    },
    /** The pending sign-in of a code. Letter case and separators do not matter. */
    findPending: (userCode: string): PendingSignIn | undefined => {
      const entry = find(userCode)
      return entry && { userCode: entry.userCode, clientId: entry.clientId, audience: entry.requested.audience }
    },
    /** @throws {RangeError} If no sign-in with this code is pending. */
    decide: (userCode: string, decision: Exclude<Decision, 'pending'>): void => {
      const entry = find(userCode)
      if (entry === undefined) throw new RangeError(`No sign-in with the code ${userCode} is pending.`)
      entry.decision = decision
    },
  }
}

function plainCode(typed: string): string {
  return typed.toUpperCase().replaceAll(/[^A-Z\d]/g, '')
}

const headers = {
  'content-security-policy': [
    "default-src 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  // With no-referrer a form would have `Origin: null`, and the origin is checked.
  'referrer-policy': 'same-origin',
}
const decisions = [
  ['approve', 'approved'],
  ['decline', 'declined'],
] as const

/** The page where a person enters a device code. With `?user_code=` it shows the application. */
export function showApprovalPage(request: EnclaveRequest, deviceCodes: DeviceCodes): Answer {
  const typed = request.query.get('user_code') ?? ''
  if (typed === '') return page(200, 'Enter code', codeForm(''))
  const signIn = deviceCodes.findPending(typed)
  return signIn === undefined ? unknownCode(typed) : page(200, 'Approve sign-in?', decisionForm(signIn))
}

/** Takes the person's decision. A form of another site is refused. */
export function takeDecision(request: EnclaveRequest, deviceCodes: DeviceCodes, origin: string): Answer {
  const sentFrom = request.headers.origin
  if (sentFrom !== undefined && sentFrom !== origin)
    return page(403, 'Refused', '<p>This form came from another site.</p>')
  const form = formOf(request)
  const typed = form.get('user_code') ?? ''
  const decision = decisions.find(([value]) => value === form.get('decision'))?.[1]
  if (deviceCodes.findPending(typed) === undefined) return unknownCode(typed)
  if (decision === undefined) return page(400, 'Decide', '<p>Choose Approve or Decline.</p>')
  deviceCodes.decide(typed, decision)
  return decision === 'approved'
    ? page(200, 'Signed in', '<p role="status">The device is signed in. You can close this page.</p>')
    : page(200, 'Declined', '<p role="status">The sign-in was declined. You can close this page.</p>')
}

function unknownCode(typed: string): Answer {
  return page(404, 'Code not found', `<p role="alert">No sign-in with this code is pending.</p>${codeForm(typed)}`)
}

function codeForm(typed: string): string {
  return `<form method="get"><label for="user_code">Code</label>
<input id="user_code" name="user_code" value="${escape(typed)}" autocomplete="off" autocapitalize="characters" spellcheck="false" required>
<button>Next</button></form>`
}

function decisionForm({ userCode, clientId, audience }: PendingSignIn): string {
  return `<p>Approve only when you started this sign-in yourself and your device shows the same code.</p>
<dl><dt>Code</dt><dd>${escape(userCode)}</dd><dt>Application</dt><dd>${escape(clientId)}</dd>
<dt>Access to</dt><dd>${escape(audience)}</dd></dl>
<form method="post"><input type="hidden" name="user_code" value="${escape(userCode)}">
<button name="decision" value="approve">Approve</button><button name="decision" value="decline">Decline</button></form>`
}

function page(status: number, title: string, content: string): Answer {
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} · Enclave sign-in</title>
</head><body><main><h1>${title}</h1>${content}</main></body></html>`
  return html(status, body, headers)
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
