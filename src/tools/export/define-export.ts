import type { CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { placeholderFields } from '../../lib/profile/field-path.ts'
import { inComment } from './quote.ts'
import type { Source } from './template.ts'

/** The groups of exports, in the order of the help. */
export const exportGroups = {
  'command-line': 'Command lines',
  infrastructure: 'Infrastructure as code',
  kubernetes: 'Kubernetes',
  editor: 'Editors',
  sdk: 'SDKs: a credential and its first token',
} as const

/** The row of an export: help, reference and first lines of the text derive from it. */
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
  /** What reads the text in a test, with its version; then what read an earlier version of it. Markdown. */
  readonly reader: string
}

/** A format in which another tool reads a profile. */
export interface ExportFormat extends ExportFacts {
  /** The whole text, with a final line break. Never contains a secret. */
  readonly render: (profile: CloudProfile) => string
}

/**
 * An export. Its text begins with what it is and which profile it was made from, if the format has comments.
 *
 * @param notes Further comment lines. They may contain a text of the profile only through `inComment`.
 */
export function defineExport({
  write,
  notes = () => [],
  ...facts
}: ExportFacts & {
  readonly write: (profile: CloudProfile) => Source | string
  readonly notes?: (profile: CloudProfile) => readonly string[]
}): ExportFormat {
  const render = (profile: CloudProfile): string => {
    const source = write(profile)
    const body = typeof source === 'string' ? source : `${source.text.replace(/^\n/, '')}\n`
    return facts.comment === undefined ? body : `${header(profile, facts.comment, facts.name, notes(profile))}${body}`
  }
  return { ...facts, render }
}

/** Some languages take orders from their first two lines (an encoding, an interpreter, an editor's mode), so these contain no text of the profile. */
function header(profile: CloudProfile, comment: string, name: string, notes: readonly string[]): string {
  const placeholders = placeholderFields(profile)
  const { absent = [] } = profile
  return [
    `The export ${name} of a cloud profile, made by cloud-profile-service. Holds no secret.`,
    'docs/reference/exports.md says what to add by hand.',
    `Profile: ${inComment(profile.name)} (${inComment(profile.displayName)})`,
    ...(placeholders.length > 0 ? [`Still placeholders, which reach nothing: ${placeholders.join(', ')}`] : []),
    ...(absent.length > 0 ? [`Not in this cloud: ${absent.map((path) => inComment(path)).join(', ')}`] : []),
    ...notes,
  ]
    .map((line) => `${comment} ${line}\n`)
    .join('')
}
