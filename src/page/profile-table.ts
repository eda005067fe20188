import type { FieldView, ProfileView } from '../lib/profile/profile-view.ts'
import { html, type Content, type Markup } from './html.ts'
import { breakableName, shownText, shownValue } from './shown-text.ts'

/** Every field of the resolved profile with who gave its value and which values lost against it. */
export function profileSection({ fields, origin }: ProfileView): Markup {
  const rows = fields.map((field) => fieldRow(field, origin))
  return html`<section aria-labelledby="profile">
    <h2 id="profile">Profile</h2>
    <p class="note">From ${originText(origin)}${overrideCount(fields, origin)}.</p>
    <table>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Value and origin</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </section>`
}

function fieldRow({ path, value, from, beat, placeholder }: FieldView, origin: string): Markup {
  const own = from === origin
  const note = placeholder && html` <span class="tag placeholder">placeholder</span>`
  const losers = beat?.map(
    (loser) => html`<p class="beat">instead of <s>${shownText(loser.value)}</s> from ${originText(loser.from)}</p>`,
  )
  return html`<tr>
    <th scope="row"><code>${breakableName(path)}</code></th>
    <td>
      <div class="value">
        <code>${shownValue(value)}</code>${note}
        <span class="${own ? 'from' : 'from set'}">${own ? origin.replace(/ .*$/s, '') : originText(from)}</span>
      </div>
      ${losers}
    </td>
  </tr> `
}

/** `built-in NAME`, `derived from VARIABLE` and `file PATH` with the name as a value; a variable's name alone is one. */
function originText(from: string): Content {
  const [, kind, name] = /^(built-in|derived from|file) (.*)$/s.exec(from) ?? []
  return name === undefined ? html`<code>${shownValue(from)}</code>` : html`${kind} <code>${shownValue(name)}</code>`
}

function overrideCount(fields: ProfileView['fields'], origin: string): Content {
  const count = fields.filter((field) => field.from !== origin).length
  return count === 0 ? undefined : html`, ${count} ${count === 1 ? 'field' : 'fields'} set by a variable`
}
