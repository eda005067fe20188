import { dirname, join, relative, resolve, sep } from 'node:path'
import { equalUrls } from '../../lib/base/address.ts'
import { knownClouds } from '../../lib/clouds/known-clouds.ts'
import { readVariable } from '../../lib/base/env.ts'
import { printable, printableJson } from '../../lib/base/printable.ts'
import { isServiceError, refuseReferences } from '../../lib/errors.ts'
import { fillProfile, isUncertain, needsOperator, type FilledProfile } from '../../lib/metadata/fill-profile.ts'
import { appliedOverrides } from '../../lib/profile/explained-profile.ts'
import { cloudsOf, completeClouds } from '../../lib/profile/profile-files.ts'
import { parseCloudProfile } from '../../lib/profile/parse-cloud-profile.ts'
import { hostingNotes, lintProfile } from '../../lib/profile/lint-profile.ts'
import { resolveProvider } from '../../lib/profile/identity-provider.ts'
import { explainProfile } from '../../lib/profile/resolve-cloud-profile.ts'
import { findWarnings } from '../../lib/variables.ts'
import { appDirectory } from '../app-directory.ts'
import { CloudFailure, defineCommand, exitCodes, UsageError } from '../command.ts'
import { readLiveMetadata } from '../live-metadata.ts'
import { type Terminal, formatTable, warningText } from '../terminal.ts'
import { expectWritable, writeNewFile } from '../write-new-file.ts'

export const command = defineCommand({
  description:
    'Reads the metadata of the cloud with the resource manager ENDPOINT, and writes a custom profile for it. Fields that are ' +
    'missing in the metadata are derived by rules, or become placeholders, which reach no host. Both are listed on stderr and ' +
    'in the notes of the profile.\n' +
    'Without ENDPOINT it writes the active profile with its override variables as a custom profile. If the cloud is ' +
    'reachable, its metadata fills and confirms fields.',
  options: {
    name: { value: 'NAME', help: 'name of the profile; default is derived from the endpoint' },
    output: { value: 'FILE', help: 'file to write; default is stdout' },
    force: { help: 'replace an existing file' },
    all: { help: 'list every field with its origin, not only those to confirm or replace' },
  },
  positionals: { name: '[ENDPOINT]', least: 0, most: 1, message: 'Give one resource manager endpoint, or none' },
  notes:
    'Set NODE_EXTRA_CA_CERTS to trust a private certificate authority.\n' +
    'Exit code without ENDPOINT: 1 if a field is guessed, a placeholder or a value of another cloud.',
  async run({ values: { name, output, force, all }, positionals: [endpoint] }, terminal) {
    const { env, note } = terminal
    if (name?.trim() === '') throw new UsageError('--name needs a name')
    // Checked first, so that no request is made in vain.
    if (output !== undefined) expectWritable(output, { force })

    const finish = (filled: FilledProfile, what: string) => {
      const profile = parseCloudProfile(filled.profile, what)
      for (const { code, message } of hostingNotes(profile)) note(`note ${code}: ${message}`)
      const text = printableJson({ $schema: schemaFrom(output), ...profile })
      if (output === undefined) terminal.print(text)
      else writeNewFile(output, text, { force })
      return profile
    }
    if (endpoint === undefined) {
      const active = explainProfile({ env })
      const metadata = await readLiveMetadata(active.profile, terminal, () => active).catch((error: unknown) => {
        const failed = error instanceof CloudFailure ? error.cause : error
        if (!isServiceError(failed)) throw error
        note(`The metadata confirms no field (${failed.code})\n${(error as Error).message}`)
        return undefined
      })
      const completed = fillProfile({ active, metadata, name })
      finish(completed, 'the profile')
      listFields(completed, all, terminal)
      for (const warning of await findWarnings(active, env)) {
        const { code } = warning
        if (code !== 'PLACEHOLDER_FIELD' && code !== 'FOREIGN_VALUE') note(`warning ${code}: ${warningText(warning)}`)
      }
      const unset = ['PLATFORM_CLOUD', ...appliedOverrides(active)].filter(
        (variable) => readVariable(env, variable) !== undefined,
      )
      if (unset.length > 0) note(`Unset ${unset.join(', ')}`)
      note(`CUSTOM_CLOUD_PROFILE_PATH=${output === undefined ? 'FILE' : printable(resolve(output))}`)
      return completed.fields.some(isUncertain) ? exitCodes.failed : exitCodes.passed
    }
    refuseReferences({ ENDPOINT: endpoint })

    const metadata = await readLiveMetadata(endpoint, terminal, () => {
      // The address of a known cloud isn't wrong.
      const known = knownClouds.find(({ resourceManagerEndpoint = '' }) => equalUrls(resourceManagerEndpoint, endpoint))
      const name = completeClouds().find((each) => each === known?.name)
      return name === undefined ? 'the ENDPOINT of this command' : explainProfile({ name, takesKnown: true, env: {} })
    })
    const draft = fillProfile({ metadata, endpoint, name })
    const profile = finish(draft, 'the draft')
    for (const warning of draft.warnings) note(`warning: ${printable(warning)}`)
    const authMode = readVariable(env, 'AUTH_MODE')
    for (const warning of lintProfile(resolveProvider({ profile, clouds: cloudsOf(env) }), { authMode }))
      note(`warning ${warning.code}: ${warningText(warning)}`)
    for (const { path, problem } of draft.refused)
      note(`warning: ${path} of the metadata ${printable(problem)}; ignored`)
    listFields(draft, all, terminal)
    if (output !== undefined) note(`Written to ${printable(output)}`)
    return exitCodes.passed
  },
})

/** The path of the schema, relative to the new file. */
function schemaFrom(output = 'profile.json'): string {
  const schema = join(appDirectory, 'cloud-profiles', 'schema.json')
  const path = relative(dirname(resolve(output)), schema)
    .split(sep)
    .join('/')
  return path.startsWith('.') ? path : `./${path}`
}

/** Lists the fields that need the operator, or all of them, and what is left to do. */
function listFields({ fields }: FilledProfile, all: boolean, { note, stderrWidth }: Terminal): void {
  const shown = fields.filter((field) => all || needsOperator(field))
  const rows = shown.map(({ certainty, path, value, from, differs }) =>
    [certainty, path, value, differs === undefined ? from : `${from}; the metadata says ${differs}`].map(printable),
  )
  if (rows.length > 0) note(formatTable(['How', 'Field', 'Value', 'From'], rows, stderrWidth))
  if (shown.length < fields.length) note(`--all lists the other ${fields.length - shown.length} fields.`)
  const open = fields.filter(isUncertain).map(({ path, certainty }) => `${path} (${certainty})`)
  note(open.length === 0 ? 'No field is left to replace.' : `Ask the cloud operator for ${open.join(', ')}.`)
}
