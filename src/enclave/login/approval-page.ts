import { createHash } from 'node:crypto'
import { type Answer, type EnclaveRequest, formOf, html } from '../http/answer.ts'
import type { DeviceCodes, PendingSignIn } from './device-codes.ts'

const style = `
:root { color-scheme: light dark }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 4rem auto; padding: 0 1rem }
label { display: block; font-weight: 600 }
input { font: 1.5rem ui-monospace, monospace; letter-spacing: .15em; width: 100%; box-sizing: border-box; padding: .5rem }
button { font: inherit; padding: .5rem 1.25rem; margin: 1rem .5rem 0 0 }
dt { font-weight: 600 }
dd { margin: 0 0 .5rem; overflow-wrap: anywhere }
`
const headers = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
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
<style>${style}</style></head><body><main><h1>${title}</h1>${content}</main></body></html>`
  return html(status, body, headers)
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
