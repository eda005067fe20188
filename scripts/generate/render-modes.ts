import { modes } from '../../src/lib/auth/credential-plan.ts'
import { authModes } from '../../src/lib/settings/setting-table.ts'

/** The values of AUTH_MODE as a Markdown table. */
export function renderModes(): string {
  const texts = {
    ...modes,
    default: {
      use: 'one setting for many places',
      needs: `a configured mode; the order is ${chain.map((mode) => `\`${mode}\``).join(', ')}`,
    },
  }
  const rows = authModes.map((mode) => `| \`${mode}\` | ${texts[mode].use} | ${texts[mode].needs} |`)
  return ['| `AUTH_MODE` | For | Needs |', '|---|---|---|', ...rows].join('\n')
}

const chain = Object.entries(modes).flatMap(([mode, { configured }]) => (configured === undefined ? [] : mode))
