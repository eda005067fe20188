import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { printable } from '../../lib/base/printable.ts'
import { discoverWholeCloud } from '../../lib/metadata/discover-cloud.ts'
import { draftProfile, type ProfileDraft } from '../../lib/metadata/draft-profile.ts'
import { parseCloudProfile } from '../../lib/profile/parse-cloud-profile.ts'
import { appDirectory } from '../app-directory.ts'
import { defineCommand } from '../command.ts'
import { exitCodes, UsageError } from '../exit.ts'
import { formatTable } from '../text.ts'
import { expectWritable, writeNewFile } from '../write-new-file.ts'

export const command = defineCommand({
  about:
    'Reads the metadata of the cloud whose resource manager is at ENDPOINT, and writes a custom profile for it. What the ' +
    'metadata does not give is derived by stated rules; what no rule gives is a placeholder that reaches nothing. Both are ' +
    'listed on stderr and in the notes of the profile.',
  options: {
    name: { type: 'string', value: 'NAME', help: 'name of the profile; default is made from the endpoint' },
    output: { type: 'string', value: 'FILE', help: 'write to this file; default is stdout' },
    force: { type: 'boolean', help: 'replace the file when it exists' },
  },
  positionals: { name: 'ENDPOINT', least: 1, most: 1, wrong: 'Give one resource manager endpoint' },
  notes: 'A private certificate authority is trusted by NODE_EXTRA_CA_CERTS.',
  async run({ values: { name, output, force }, positionals: [endpoint = ''] }, { env, print, note, stderrWidth }) {
    if (name?.trim() === '') throw new UsageError('--name needs a name')
    // Before the cloud is asked: nobody should wait for an answer that can be put nowhere.
    if (output !== undefined) expectWritable(output, { force })

    const { metadata, warnings } = await discoverWholeCloud(endpoint, { env })
    const draft = draftProfile(metadata, { endpoint, ...(name === undefined ? {} : { name }) })
    const profile = parseCloudProfile(draft.profile, 'the draft')
    const text = `${JSON.stringify({ $schema: schemaFrom(output), ...profile }, undefined, 2)}\n`
    if (output === undefined) print(text)
    else writeNewFile(output, text, { force })
    for (const warning of [...warnings, ...draft.warnings]) note(`warning: ${printable(warning)}`)
    for (const { path, problem } of draft.refused) {
      note(`warning: ${path} of the metadata ${printable(problem)}; not taken over`)
    }
    note(describeDraft(draft, stderrWidth))
    if (output !== undefined) note(`Written to ${printable(output)}`)
    return exitCodes.passed
  },
})

/** The schema of profiles as an editor finds it from the new file, which without a name is in the folder we are in. */
function schemaFrom(output = 'profile.json'): string {
  const schema = join(appDirectory, 'cloud-profiles', 'schema.json')
  const way = relative(dirname(resolve(output)), schema)
  if (isAbsolute(way)) return pathToFileURL(schema).href
  const path = way.split(sep).join('/')
  return path.startsWith('.') ? path : `./${path}`
}

/** What needs a second look, and why. */
function describeDraft({ fields }: ProfileDraft, width: number): string {
  const rows = (['placeholder', 'derived'] as const).flatMap((wanted) =>
    fields.filter(({ how }) => how === wanted).map(({ path, value, how, rule }) => [how, path, printable(value), rule]),
  )
  const placeholders = fields.filter(({ how }) => how === 'placeholder').length
  const table = rows.length === 0 ? '' : `${formatTable(['How', 'Field', 'Value', 'Rule'], rows, width)}\n`
  return `${table}${
    placeholders === 0
      ? 'No placeholders are left.'
      : `${placeholders} placeholder${placeholders === 1 ? '' : 's'} to be replaced with what the cloud operator gives out.`
  }`
}
