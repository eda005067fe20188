import type { CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { placeholderFields } from '../../lib/profile/field-path.ts'
import { inComment } from './quote.ts'
import { renderTemplate, type Language, type TemplateValues } from './render-template.ts'
import { templateValues } from './template-values.ts'
import { readTemplate } from './templates.ts'

/** The groups of exports, in the order of the help. */
export const exportGroups = {
  'command-line': 'Command lines',
  infrastructure: 'Infrastructure as code',
  kubernetes: 'Kubernetes',
} as const

/** The facts about an export besides its text: the help, `docs/reference/exports.md` and the first lines of the text derive from them. */
interface ExportFacts {
  readonly name: string
  /** For the help, in a few words. */
  readonly what: string
  readonly group: keyof typeof exportGroups
  /** The start of a line comment. Absent for a format without comments, such as JSON. */
  readonly comment?: '#' | '//'
  /** Whether it is a script that configures a tool, which must not learn a placeholder. */
  readonly isScript?: true
  /** The additions that a user makes to the text: credentials, trust, files. Markdown. */
  readonly addByHand: string
  /** The source that was read in place of a run, with its version, such as `Az.Accounts 2.13.1`. Absent if all of its readers ran. */
  readonly read?: string
  /** Hosts that the client looks up besides those of the profile, if no run has recorded them. Markdown. */
  readonly looksUp?: string
}

/** The text of an export after its first lines. */
export interface ExportText {
  /** Comment lines before the text. They may hold a text of the profile only through `inComment`. */
  readonly notes?: readonly string[]
  /** With a final line break. */
  readonly body: string
}

/** A format in which another tool reads a profile. */
export interface ExportFormat extends ExportFacts {
  /** The whole text, with a final line break. Never holds a secret. */
  readonly render: (profile: CloudProfile) => string
}

/** An export whose text begins with the lines that each format with comments has. */
export function defineExport({
  write,
  ...facts
}: ExportFacts & { readonly write: (profile: CloudProfile) => ExportText }): ExportFormat {
  const render = (profile: CloudProfile): string => {
    const { notes = [], body } = write(profile)
    return facts.comment === undefined ? body : `${header(profile, facts.comment, facts.name, notes)}${body}`
  }
  return { ...facts, render }
}

/** An export whose text is a template. */
export function templateExport({
  language,
  template,
  notes = () => [],
  ...facts
}: ExportFacts & {
  readonly language: Language
  /** A file in `templates`. */
  readonly template: string
  readonly notes?: (profile: CloudProfile, values: TemplateValues) => readonly string[]
}): ExportFormat {
  return defineExport({
    ...facts,
    write(profile) {
      const values = templateValues(profile)
      return { notes: notes(profile, values), body: renderTemplate(readTemplate(template), language, values) }
    },
  })
}

/**
 * The first lines of an export: what it is, and only then which profile it was made from. Some languages take orders from their first two
 * lines (an encoding, an interpreter, an editor's mode), so these contain no text of a profile.
 *
 * @param comment The start of a line comment, such as `#`.
 */
function header(profile: CloudProfile, comment: string, name: string, notes: readonly string[]): string {
  const placeholders = placeholderFields(profile)
  return [
    `The export ${name} of a cloud profile, made by cloud-profile-service. Holds no secret.`,
    'Quoted for this language: every value of the profile below.',
    `Profile: ${inComment(profile.name)} (${inComment(profile.displayName)})`,
    ...(placeholders.length > 0 ? [`Still placeholders, which reach nothing: ${placeholders.join(', ')}.`] : []),
    ...notes,
  ]
    .map((line) => `${comment} ${line}\n`)
    .join('')
}
