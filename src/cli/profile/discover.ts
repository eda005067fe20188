import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { discoverCloud } from '../../lib/metadata/discover-cloud.ts'
import { draftProfile, type ProfileDraft } from '../../lib/metadata/draft-profile.ts'
import { parseCloudProfile } from '../../lib/profile/parse-cloud-profile.ts'
import { exitCodes, UsageError, type ExitCode } from '../run-command.ts'
import { formatTable, note, printable } from './print.ts'
import { writeNewFile } from './write-new-file.ts'

const usage = `Usage: npm run --silent profile -- discover ENDPOINT [options]

Reads the metadata of the cloud whose resource manager is at ENDPOINT, and writes a custom profile for it. What the
metadata does not give is derived by stated rules; what no rule gives is a placeholder that reaches nothing. Both are
listed on stderr and in the notes of the profile.

  --name NAME        name of the profile; default is made from the endpoint
  --output FILE      write to this file; default is stdout
  --force            replace the file when it exists

A private certificate authority is trusted by NODE_EXTRA_CA_CERTS.
`

export async function discover(args: readonly string[]): Promise<ExitCode> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      name: { type: 'string' },
      output: { type: 'string' },
      force: { type: 'boolean', default: false },
      help: { type: 'boolean' },
    },
    allowPositionals: true,
  })
  if (values.help) {
    process.stdout.write(usage)
    return exitCodes.passed
  }
  const [endpoint, ...more] = positionals
  if (endpoint === undefined || more.length > 0) throw new UsageError('Give one resource manager endpoint')
  const { name, output, force } = values
  if (name?.trim() === '') throw new UsageError('--name needs a name')
  if (output !== undefined && !force && existsSync(output)) {
    throw new UsageError(`${JSON.stringify(output)} exists; --force replaces it`)
  }
  if (/^http:/i.test(endpoint)) note('warning: without TLS, anyone on the way can forge the metadata')

  const metadata = await discoverCloud(endpoint)
  const draft = draftProfile(metadata, { endpoint, ...(name === undefined ? {} : { name }) })
  const profile = parseCloudProfile(draft.profile, 'the draft')
  const text = `${JSON.stringify(profile, undefined, 2)}\n`
  if (output === undefined) process.stdout.write(text)
  else writeNewFile(output, text, { force })
  note(describeDraft(draft))
  if (output !== undefined) note(`Written to ${printable(output)}`)
  return exitCodes.passed
}

/** What needs a second look, and why. */
function describeDraft({ fields }: ProfileDraft): string {
  const rows = (['placeholder', 'derived'] as const).flatMap((wanted) =>
    fields.filter(({ how }) => how === wanted).map(({ path, value, how, rule }) => [how, path, printable(value), rule]),
  )
  const placeholders = fields.filter(({ how }) => how === 'placeholder').length
  const table = rows.length === 0 ? '' : `${formatTable(['How', 'Field', 'Value', 'Rule'], rows)}\n`
  return `${table}${
    placeholders === 0
      ? 'No placeholders are left.'
      : `${placeholders} placeholder${placeholders === 1 ? '' : 's'} to be replaced with what the cloud operator gives out.`
  }`
}
