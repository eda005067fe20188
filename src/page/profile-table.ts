import type { FieldView, ProfileView } from '../lib/profile/explained-profile.ts'
import { fold } from './fold.ts'
import { html, type Content, type Markup } from './html.ts'
import { plainText, shownText } from './shown-text.ts'

/** Every field of the resolved profile with the source of its value and the overridden values. */
export function profileFold({ fields, origin, selectedBy }: ProfileView): Markup {
  const rows = fields.map((field) => fieldRow(field, origin))
  const overridden = fields.filter(({ from }) => from !== origin).length
  const count = overridden > 0 && html`, ${overridden} ${overridden === 1 ? 'field' : 'fields'} set by a variable`
  return fold(
    'profile',
    'Profile',
    `${fields.length} fields`,
    html`<p>From ${originText(origin)}, selected by ${selectionText(selectedBy)}${count}.</p>
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
      </table>`,
  )
}

function selectionText(selectedBy: ProfileView['selectedBy']): Content {
  return selectedBy === 'default' ? 'default: no variable selects a profile' : html`<code>${selectedBy}</code>`
}

function fieldRow({ path, value, from, overridden, placeholder }: FieldView, origin: string): Markup {
  const note = placeholder && html` <span class="tag placeholder">placeholder</span>`
  const others = overridden?.map(
    (each) => html`<p class="overridden">overrides <s>${shownText(each.value)}</s> from ${originText(each.from)}</p>`,
  )
  const given = from !== origin && html` <span class="from">${originText(from)}</span>`
  return html`<tr>
    <th scope="row"><code>${plainText(path)}</code></th>
    <td><code>${shownText(value)}</code>${note}${given}${others}</td>
  </tr>`
}

/** `built-in NAME`, `derived from VARIABLE` and `file PATH` with the name as a value; a variable's name alone is one. */
export function originText(from: string): Content {
  const [, kind, name] = /^(built-in|derived from|file) (.*)$/s.exec(from) ?? []
  return name === undefined ? html`<code>${shownText(from)}</code>` : html`${kind} <code>${shownText(name)}</code>`
}
