import type { SignIn } from '../lib/diagnostics/report.ts'
import { html, webAddress, type Markup } from './html.ts'
import { shownText } from './shown-text.ts'
import { secondsUntil, timeElement } from './time.ts'

/** What a person does to approve a device-code sign-in, with the time that is left. */
export function signInSection(signIn: SignIn, now: Date): Markup {
  const { userCode, verificationUri, expiresOn } = signIn
  const left = secondsUntil(expiresOn, now)
  return html`<section class="sign-in" aria-labelledby="sign-in">
    <h2 id="sign-in">Approve the sign-in</h2>
    <ol>
      <li>
        <p>On any device that reaches it, open</p>
        <p class="address">${addressLink(verificationUri)}</p>
      </li>
      <li>
        <p>Enter this code and sign in</p>
        <p class="user-code">
          <code id="user-code">${shownText(userCode)}</code>
          <button type="button" data-copy="user-code" hidden>Copy the code</button>
        </p>
      </li>
    </ol>
    <p class="left">
      ${
        left > 0
          ? html`The code is valid for <span role="timer" data-left="${left}">${clockText(left)}</span>, until
              ${timeElement(expiresOn)}.`
          : html`The code is no longer valid. A new one comes with the next attempt.`
      }
      This page updates itself.
    </p>
  </section>`
}

/** An address that a browser can open as a link; any other as text. */
function addressLink(address: string): Markup {
  const href = webAddress(address)
  const text = shownText(address)
  return href === undefined
    ? html`<code>${text}</code>`
    : html`<a href="${href}" target="_blank" rel="noopener noreferrer">${text}</a>`
}

/** Seconds as `14:32`; the script counts on in the same form. */
function clockText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
