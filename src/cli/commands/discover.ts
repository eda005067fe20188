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
  description:
    'Reads the metadata of the cloud whose resource manager is at ENDPOINT, and writes a custom profile for it. Fields that ' +
    'the metadata lacks are derived by rules, or else become placeholders that reach no host. The command lists both on ' +
    'stderr and in the notes of the profile.',
  options: {
    name: { type: 'string', value: 'NAME', help: 'name of the profile; default is derived from the endpoint' },
    output: { type: 'string', value: 'FILE', help: 'file to write; default is stdout' },
    force: { type: 'boolean', help: 'replace an existing file' },
  },
  positionals: { name: 'ENDPOINT', least: 1, most: 1, message: 'Give one resource manager endpoint' },
  notes: 'Set NODE_EXTRA_CA_CERTS to trust a private certificate authority.',
  async run({ values: { name, output, force }, positionals: [endpoint = ''] }, { env, print, note, stderrWidth }) {
    if (name?.trim() === '') throw new UsageError('--name needs a name')
    // Checked before the request, so that nobody waits for a result that cannot be written.
    if (output !== undefined) expectWritable(output, { force })

    const { metadata, warnings } = await discoverWholeCloud(endpoint, { env })
    const draft = draftProfile(metadata, { endpoint, ...(name === undefined ? {} : { name }) })
    const profile = parseCloudProfile(draft.profile, 'the draft')
    const text = `${JSON.stringify({ $schema: schemaFrom(output), ...profile }, undefined, 2)}\n`
    if (output === undefined) print(text)
    else writeNewFile(output, text, { force })
    for (const warning of [...warnings, ...draft.warnings]) note(`warning: ${printable(warning)}`)
    for (const { path, problem } of draft.refused) {
      note(`warning: ${path} of the metadata ${printable(problem)}; ignored`)
    }
    note(describeDraft(draft, stderrWidth))
    if (output !== undefined) note(`Written to ${printable(output)}`)
    return exitCodes.passed
  },
})

/** The path of the schema from the new file, or from the working directory. */
function schemaFrom(output = 'profile.json'): string {
  const schema = join(appDirectory, 'cloud-profiles', 'schema.json')
  const route = relative(dirname(resolve(output)), schema)
  if (isAbsolute(route)) return pathToFileURL(schema).href
  const path = route.split(sep).join('/')
  return path.startsWith('.') ? path : `./${path}`
}

/** The fields to review, and why. */
function describeDraft({ fields }: ProfileDraft, width: number): string {
  const rows = (['placeholder', 'derived'] as const).flatMap((wanted) =>
    fields.filter(({ how }) => how === wanted).map(({ path, value, how, rule }) => [how, path, printable(value), rule]),
  )
  const placeholders = fields.filter(({ how }) => how === 'placeholder').length
  const table = rows.length === 0 ? '' : `${formatTable(['How', 'Field', 'Value', 'Rule'], rows, width)}\n`
  return `${table}${
    placeholders === 0
      ? 'No placeholders are left.'
      : `${placeholders} placeholder${placeholders === 1 ? '' : 's'} to replace with values from the cloud operator.`
  }`
}
