import type { SignIn } from '../lib/diagnostics/report.ts'
import { html, webAddress, type Markup } from './html.ts'
import { secondsFrom, tickingDistance, timeElement } from './time.ts'
import { shownText } from './elements.ts'

/** How a person approves a device-code sign-in, and how long the code is valid. */
export function signInSection(signIn: SignIn, now: Date): Markup {
  const { userCode, verificationUri, expiresOn } = signIn
  const isExpired = (secondsFrom(expiresOn, now) ?? 0) <= 0
  return html`<section class="sign-in" aria-labelledby="sign-in">
    <h2 id="sign-in">Approve the sign-in</h2>
    <ol>
      <li>
        <p>On any device that can reach it, open</p>
        <p class="address">${addressLink(verificationUri)}</p>
      </li>
      <li>
        <p>Enter this code and sign in</p>
        <p class="user-code">
          <code id="user-code">${shownText(userCode)}</code>
          <button type="button" data-copy="user-code">Copy the code</button>
        </p>
      </li>
    </ol>
    <p class="left">
      ${
        isExpired
          ? html`The code expired. The next attempt gives a new one.`
          : html`The code expires <span role="timer">${tickingDistance(expiresOn, now)}</span>, at
              ${timeElement(expiresOn)}.`
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
