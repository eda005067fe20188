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

/** An export for people: help, reference and the first lines of the text derive from it. */
interface ExportFacts {
  readonly name: string
  /** A few words for the help. */
  readonly what: string
  readonly group: keyof typeof exportGroups
  /** The start of a line comment. JSON has none. */
  readonly comment?: '#' | '//'
  /** Whether the text is a script that configures a tool. A tool must not learn a placeholder. */
  readonly isScript?: true
  /** What the user adds: credentials, trust, files. Markdown. */
  readonly addByHand: string
  /** What reads the text in a test, with its version. Markdown. */
  readonly reader: string
}

/** A format in which another tool reads a profile. */
export interface ExportFormat extends ExportFacts {
  /** The whole text, with a final line break. Never contains a secret. */
  readonly render: (profile: CloudProfile) => string
}

/**
 * Defines an export. If the format has comments, its text begins with the name of the export and of the profile.
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

/** The first two lines contain no text of the profile: some languages read an encoding, an interpreter or an editor mode from them. */
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
