import { readFileSync } from 'node:fs'
import { commands } from '../../src/cli/command-line.ts'
import { formatHelp } from '../../src/cli/command.ts'
import { createApp } from '../../src/functions/app.ts'
import { createService } from '../../src/lib/service/service.ts'
import { modes } from '../../src/lib/auth/credential-plan.ts'
import { type Field, fields, shapeOf } from '../../src/lib/profile/field-path.ts'
import { authModes } from '../../src/lib/settings/setting-table.ts'
import { settingRows } from '../../src/lib/variables.ts'
import { exportGroups } from '../../src/tools/export/define-export.ts'
import { exportFormats } from '../../src/tools/export/export-formats.ts'

/** A page from its text in `files`, which has a place for each content. */
const page = (name: string, ...contents: readonly string[]): string =>
  contents.reduce(
    (text, content) => text.replace('{{content}}', () => content),
    readFileSync(new URL(`files/${name}.md`, import.meta.url), 'utf8'),
  )

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

/** `docs/reference/settings.md`: every setting, and every mode. */
export function renderSettings(): string {
  const rows = settingRows.map(({ name, meaning, default: fallback, unset = '', secret }) => {
    const shown = fallback === undefined ? unset : `\`${fallback}\``
    return [`\`${name}\``, `${meaning}${secret ? ' (secret)' : ''}`, shown]
  })
  return page('settings', table(['Variable', 'Meaning', 'Default'], rows), renderModes())
}

function renderModes(): string {
  const texts = {
    ...modes,
    default: {
      use: 'one setting for many places',
      needs: `a configured mode; the order is ${chain.map((mode) => `\`${mode}\``).join(', ')}`,
    },
  }
  const rows = authModes.map((mode) => [`\`${mode}\``, texts[mode].use, texts[mode].needs])
  return table(['`AUTH_MODE`', 'For', 'Needs'], rows)
}

const chain = Object.entries(modes).flatMap(([mode, { configured }]) => (configured === undefined ? [] : mode))

/** `docs/reference/profile.md`: every field of a profile with its purpose, its rules and its variables. */
export function renderProfileFields(): string {
  const rows = fields.flatMap((field) => {
    if (shapeOf(field) !== undefined) return []
    const { path, description = '', isOptional, overrides = [] } = field
    const form = formOf(field)
    const variables = overrides.map((name) => `\`${name}\``).join(', then ')
    return [[`\`${path}\`${isOptional ? '' : ' (required)'}`, description, form, variables]]
  })
  return page('profile', table(['Field', 'Purpose', 'Rule', 'Variable'], rows))
}

/** The rules for a value. Leaves out limits of length and characters, which nobody needs to choose a value. */
function formOf({ schema: { _zod } }: Field): string {
  if (_zod.def.type === 'enum') return `one of ${Object.values(_zod.def.entries).join(', ')}`
  if (_zod.def.type !== 'string') return _zod.def.type === 'array' ? 'a list' : 'an object by name'
  const messages = (_zod.def.checks ?? []).flatMap(({ _zod: { def } }) => {
    const message = def.error?.({} as never)
    return typeof message === 'string' ? [message] : []
  })
  return [...new Set(messages.filter((message) => !/characters|at most|spaces/.test(message)))].join('; ')
}

/** `docs/reference/routes.md`: every route with its purpose and its access. */
export function renderRoutes(): string {
  const rows = createApp(createService({})).functions.map(({ path, authLevel, openApi }) => {
    const { summary, parameters = [] } = openApi
    const queries = (parameters as readonly Readonly<Record<string, string>>[])
      .map(({ name, description }) => `<br>\`${name}\`: ${description}`)
      .join('')
    return [`\`GET /${path}\``, `${summary}${queries}`, authLevel === 'anonymous' ? 'everyone' : 'with a key']
  })
  return page('routes', table(['Route', 'Response', 'Access'], rows))
}

export async function renderCommands(): Promise<string> {
  const sections = Object.entries(commands).map(async ([name, { load, examples }]) => {
    const { command } = await load()
    return `## ${name}\n\n\`\`\`\n${formatHelp(command, `cloud-profile ${name}`, 100, examples).trimEnd()}\n\`\`\``
  })
  return page('commands', (await Promise.all(sections)).join('\n\n'))
}

/** `docs/reference/exports.md`: every export, what to add by hand, and its test. */
export function renderExports(): string {
  const sections = Object.entries(exportGroups).map(([group, title]) => {
    const formats = Object.values(exportFormats).filter((format) => format.group === group)
    return `## ${title}\n\n${table(
      ['Format', 'Content', 'Add by hand', 'Tested with'],
      formats.map(({ name, what, addByHand, reader }) => [`\`${name}\``, what, addByHand, reader]),
    )}`
  })
  return page('exports', sections.join('\n\n'))
}
