import { authModes, modes } from '../../lib/auth/modes.ts'

/** The values of AUTH_MODE as a Markdown table. */
export function renderModes(): string {
  const told = {
    ...modes,
    default: {
      use: 'one setting for many places',
      needs: `tries what is configured, in this order: ${chain.map((mode) => `\`${mode}\``).join(', ')}`,
    },
  }
  const rows = authModes.map((mode) => `| \`${mode}\` | ${told[mode].use} | ${told[mode].needs} |`)
  return ['| `AUTH_MODE` | For | Needs |', '|---|---|---|', ...rows].join('\n')
}

const chain = Object.entries(modes).flatMap(([mode, { configured }]) => (configured === undefined ? [] : mode))
