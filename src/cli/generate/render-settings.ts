import { settingRows } from '../../lib/settings/setting-rows.ts'

/** The settings as a Markdown table. */
export function renderSettings(): string {
  const rows = settingRows.map(({ name, meaning, default: fallback, secret }) => {
    const shown = fallback === undefined ? '' : `\`${fallback}\``
    return `| \`${name}\` | ${meaning}${secret === true ? ' (secret)' : ''} | ${shown} |`
  })
  return ['| Variable | Meaning | Default |', '|---|---|---|', ...rows].join('\n')
}
