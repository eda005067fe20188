import type { ProfileView } from '../lib/profile/explained-profile.ts'
import { html, type Markup } from './html.ts'
import { plainText, shownText } from './shown-text.ts'

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
