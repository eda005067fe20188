import type { FieldView, ProfileView } from '../lib/profile/explained-profile.ts'
import { html, type Content, type Markup } from './html.ts'
import { fold, plainText, shownText } from './elements.ts'

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

/** The fields that still hold a placeholder, with the variable that replaces each; `undefined` when there are none. */
export function placeholdersSection({ fields, source }: ProfileView): Markup | undefined {
  const placeholders = fields.filter(({ placeholder }) => placeholder)
  if (placeholders.length === 0) return undefined
  const advice =
    source.kind === 'file'
      ? html`Replace them in <code>${shownText(source.path)}</code>.`
      : html`Set these variables, or write them all into a profile file and name it in
          <code>CUSTOM_CLOUD_PROFILE_PATH</code>.`
  const rows = placeholders.map(
    ({ path, variable }) =>
      html`<tr>
        <th scope="row"><code>${plainText(path)}</code></th>
        ${
          source.kind === 'built-in' &&
          html`<td>
            ${variable === undefined ? html`<span class="none">profile file only</span>` : html`<code>${variable}</code>`}
          </td>`
        }
      </tr> `,
  )
  return html`<section aria-labelledby="placeholders">
    <h2 id="placeholders">Fields to replace</h2>
    <p class="note">Get the real values from the operator of the cloud. ${advice}</p>
    <table>
      <thead>
        <tr>
          <th scope="col">Field</th>
          ${source.kind === 'built-in' && html`<th scope="col">Variable</th>`}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </section>`
}
