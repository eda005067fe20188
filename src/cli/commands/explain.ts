import { printable, printableJson } from '../../lib/base/printable.ts'
import { describeOrigin, describeSource, type ExplainedProfile } from '../../lib/profile/explained-profile.ts'
import { identityProviderOf } from '../../lib/profile/identity-provider.ts'
import { type Settings, validSettings } from '../../lib/settings/settings.ts'
import { hostingNotes } from '../../lib/profile/lint-profile.ts'
import { tenantInUse, type TenantInUse } from '../../lib/settings/credential-values.ts'
import { findWarnings } from '../../lib/variables.ts'
import { isFipsMode } from '../../lib/settings/node-requirements.ts'
import {
  authoritiesAtStart,
  describeAdded,
  type AddedAuthorities,
} from '../../lib/transport/certificate-authorities.ts'
import { explainChosen, knownCloudsOption, profileOptions } from '../choose-profile.ts'
import { defineCommand, formatOption, exitCodes } from '../command.ts'
import { serviceRows } from './clouds.ts'
import { formatTable, warningText, wrap } from '../terminal.ts'

export const command = defineCommand({
  description:
    'Prints the identity, addresses and audiences of the active profile, and every field that a variable or a rule changed, with the overridden values. With --all it prints each field, the services, and the settings that credentials need.',
  options: {
    ...profileOptions,
    ...knownCloudsOption,
    all: { help: 'print every field, the services, and the settings of credentials' },
    format: formatOption(['text', 'json']),
  },
  positionals: { name: '[NAME]', least: 0, most: 1, message: 'Name one cloud, or none' },
  notes: 'Exit code: 0 explained, 2 usage or configuration error. Invalid settings are listed on stderr.',
  async run({ values, positionals: [name] }, { env, width, print, note }) {
    const folder = values['known-clouds']
    const variables = folder === undefined ? env : { ...env, PLATFORM_KNOWN_CLOUDS: folder }
    const explained = explainChosen(values, variables, name)
    const settings = validSettings(env, note)
    const tenant = settings && tenantInUse(explained.profile, settings, env)
    const warnings = await findWarnings(explained, env, settings)
    const notes = hostingNotes(explained.profile)
    const mode = settings && { authMode: settings.authMode, authModeFrom: settings.authModeFrom }
    // The profile needs no settings, but the service refuses to start if one is invalid.
    const code = settings === undefined ? exitCodes.usage : exitCodes.passed
    const trust = authoritiesAtStart(env)
    if (values.format === 'json') {
      const { clouds: _clouds, ...fields } = explained
      const instanceDiscovery = instanceDiscoveryOf(explained)
      const disableInstanceDiscovery = instanceDiscovery.disabled
      const shown = { ...fields, ...mode, warnings, notes, tenant, disableInstanceDiscovery, instanceDiscovery }
      print(printableJson({ ...shown, fips: isFipsMode(), certificateAuthorities: trust }))
      return code
    }
    print(formatText({ ...explained, ...mode, trust, tenant }, values.all, width))
    for (const each of warnings) note(`warning ${each.code}: ${warningText(each)}`)
    for (const { code, message } of notes) note(`note ${code}: ${message}`)
    return code
  },
})

/** Without auth mode if a setting is invalid. */
interface Explained extends ExplainedProfile, Partial<Pick<Settings, 'authMode' | 'authModeFrom'>> {
  readonly trust: readonly AddedAuthorities[]
  readonly tenant: TenantInUse | undefined
}

/** How credential libraries name the authority and disable instance discovery. */
const credentialSettings = {
  TypeScript: ['authorityHost', 'disableInstanceDiscovery: true'],
  Python: ['authority', 'disable_instance_discovery=True'],
  Go: ['Cloud.ActiveDirectoryAuthorityHost', 'DisableInstanceDiscovery: true'],
  '.NET': ['AuthorityHost', 'DisableInstanceDiscovery = true'],
  Java: ['authorityHost(…)', 'disableInstanceDiscovery()'],
} as const

function instanceDiscoveryOf({ profile }: ExplainedProfile) {
  const { disableInstanceDiscovery, authorityBase } = identityProviderOf(profile)
  const reason = disableInstanceDiscovery
    ? `${authorityBase} is not one of the authorities that the public instance discovery knows`
    : `the public instance discovery knows ${authorityBase}`
  const settings = Object.entries(credentialSettings).map(([language, [authority, discovery]]) => ({
    language,
    authority,
    ...(disableInstanceDiscovery ? { discovery } : {}),
  }))
  return { disabled: disableInstanceDiscovery, reason, settings }
}

const summaryFields: ReadonlySet<string> = new Set([
  'authorityHost',
  'resourceManagerEndpoint',
  'resourceManagerAudience',
  'serviceAudiences.arm',
  'serviceAudiences.storage',
  'serviceAudiences.keyVault',
])

function formatText(explained: Explained, isComplete: boolean, width: number): string {
  const { profile, source, selectedBy, authMode, authModeFrom, fields, trust, tenant } = explained
  const rows = Object.entries(fields).flatMap(([path, field]) => {
    const isOwn = field.by === 'profile'
    // The services have a separate table.
    if (path.startsWith('services.') || !(isComplete || !isOwn || summaryFields.has(path))) return []
    const others = (field.overridden ?? []).map((each) => printable(`${each.value} (${describeOrigin(each)})`))
    return [[path, printable(field.value), isOwn ? '' : printable(describeOrigin(field)), others.join(', ')]]
  })
  const { disabled, reason, settings } = instanceDiscoveryOf(explained)
  const mode = `Auth mode: ${authMode} (${authModeFrom === 'default' ? 'the default' : `from ${authModeFrom}`})`
  const lead = [
    `${printable(profile.displayName)}: ${printable(describeSource(source))}`,
    `Selected by: ${selectedBy}`,
    ...(authMode === undefined ? [] : [mode]),
    ...(tenant === undefined ? [] : [describeTenant(tenant)]),
    `Instance discovery: ${disabled ? 'disabled' : 'enabled'}, because ${reason}`,
    ...trust.map((each) => `Certificate authorities of ${describeAdded(each)}`),
  ]
  const columns = rows.some(([, , from]) => from !== '') ? 4 : 2
  const head = ['Field', 'Value', 'Changed by', 'Overridden'].slice(0, columns)
  const summary = `${lead.map((line) => wrap(line, width)).join('\n')}\n\n${formatTable(head, rows, width)}`
  if (!isComplete)
    return `${summary}\n${wrap('--all prints the other fields, the services, and the settings of credentials.', width)}\n`
  const credentials = settings.map(({ language, authority, discovery = 'default' }) => [language, authority, discovery])
  return [
    summary,
    formatTable(['Service', 'Suffix or address', 'Audience', 'Port'], serviceRows(profile), width),
    formatTable(['Credential in', 'Authority', 'Instance discovery'], credentials, width),
  ].join('\n')
}

function describeTenant({ tenantId, from, profileTenantId }: TenantInUse): string {
  const other =
    profileTenantId === undefined || profileTenantId === tenantId ? '' : `; the profile has ${profileTenantId}`
  return `Tenant in use: ${printable(tenantId)} (from ${from}${printable(other)})`
}
