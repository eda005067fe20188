import type { CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { placeholderFields } from '../../lib/profile/field-path.ts'
import { inComment } from './quote.ts'

/** The groups of exports, in the order of the help. */
export const exportGroups = {
  'command-line': 'Command lines',
  infrastructure: 'Infrastructure as code',
  kubernetes: 'Kubernetes',
  editor: 'Editors',
  sdk: 'SDKs: a credential and its first token',
} as const

/** What the help, the reference and the header of an export say. */
export interface ExportFacts {
  readonly name: string
  /** A few words for the help. */
  readonly what: string
  readonly group: keyof typeof exportGroups
  /** The start of a line comment. Absent for JSON. */
  readonly comment?: '#' | '//'
  /** Whether it is a script that configures a tool. Such a script must not contain placeholders. */
  readonly isScript?: true
  /** What the user adds: credentials, trust, files. Markdown. */
  readonly addByHand: string
  /** The program that reads the export in a test, with its version. Markdown. */
  readonly reader: string
}

export interface ExportFormat extends ExportFacts {
  /** The whole text, with a final line break. Never contains a secret. */
  readonly render: (profile: CloudProfile) => string
}

/** Defines an export. If its format has comments, they name the export and the profile, and have the `notes`, whose texts must pass `inComment`. */
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

/** The first two lines contain no text of the profile, because some languages read an encoding or an editor mode from them. */
function header(profile: CloudProfile, comment: string, name: string, notes: readonly string[]): string {
  const placeholders = placeholderFields(profile)
  const { absent = [] } = profile
  return [
    `The export ${name} of a cloud profile, made by cloud-profile-service. Holds no secret.`,
    'docs/reference/exports.md lists what to add by hand.',
    `Profile: ${inComment(profile.name)} (${inComment(profile.displayName)})`,
    ...(placeholders.length > 0 ? [`Replace these placeholders: ${placeholders.join(', ')}`] : []),
    ...(absent.length > 0 ? [`Not in this cloud: ${absent.map((path) => inComment(path)).join(', ')}`] : []),
    ...notes,
  ]
    .map((line) => `${comment} ${line}\n`)
    .join('')
}

/** A text in another language. Templates of this language insert it unchanged. */
export interface Source {
  readonly text: string
}

/** Marks a line to remove. No literal contains it. */
const removed = '\0'

/** Makes the template tag of a language. In a template a text or flag becomes a literal, and `undefined` or an empty source removes the line. */
export function templateOf(quote: (text: string) => string, flag: (value: boolean) => string = String) {
  return (parts: TemplateStringsArray, ...holes: readonly (string | boolean | Source | undefined)[]): Source => {
    let text = parts[0] ?? ''
    for (const [index, hole] of holes.entries()) {
      const indent = /^ */.exec(text.slice(text.lastIndexOf('\n') + 1))?.[0] ?? ''
      if (typeof hole === 'boolean') text += flag(hole)
      else if (typeof hole === 'string') text += quote(hole)
      else text += hole?.text.replaceAll('\n', `\n${indent}`) || removed
      text += parts[index + 1] ?? ''
    }
    const lines = text.split('\n').filter((line) => !line.includes(removed))
    return { text: lines.join('\n') }
  }
}
