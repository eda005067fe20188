import { type Env, readVariable } from './base/env.ts'
import { nearestName } from './base/names.ts'
import { quote } from './base/printable.ts'
import { referenceKindOf } from './base/references.ts'
import { mistakeIn } from './base/secret.ts'
import type { Warning } from './errors.ts'
import type { ExplainedProfile } from './profile/explained-profile.ts'
import { overrideVariables } from './profile/field-path.ts'
import type { ProfileOrCloud } from './profile/identity-provider.ts'
import { namedTenant, tenantInUse } from './settings/credential-values.ts'
import { findForeignVariables } from './settings/foreign-variables.ts'
import { scripts, selection, settingTable, secretVariables, credentialTable } from './settings/setting-table.ts'
import { type Setting, text } from './settings/setting.ts'
import { readSecretFiles, type Settings, validSettings } from './settings/settings.ts'

/** The override variables, whose values the profile's schema validates. The tenant has a separate row. */
const overrides = Object.entries(overrideVariables)
  .filter(([name]) => name !== 'PLATFORM_TENANT_ID')
  .map(([name, field]) => text(name, `Overrides \`${field}\``))

/** Every setting, in the order of the documents. docs/reference/settings.md and others are generated from it. */
export const settingRows: readonly Setting<unknown>[] = [
  ...selection,
  ...overrides,
  ...Object.values(settingTable),
  ...scripts,
]

/** The settings that the library reads. The others are settings of the service. */
export const libraryRows: readonly Setting<unknown>[] = [
  ...selection,
  ...overrides,
  ...Object.values(credentialTable),
  settingTable.discoverAudience,
  settingTable.logLevel,
]

/**
 * Warnings about the profile, the settings and the variables of other tools. Every view shows this list, and no warning stops the service.
 *
 * @param settings Default is the settings of the environment. Their problems are reported elsewhere.
 */
export async function findWarnings(
  explained: ExplainedProfile & ProfileOrCloud,
  env: Env,
  settings: Settings | undefined = validSettings(env),
): Promise<Warning[]> {
  // Loaded late, because a cold start doesn't need it.
  const [{ lintProfile, withoutConsequences }, { resolveProvider }] = await Promise.all([
    import('./profile/lint-profile.ts'),
    import('./profile/identity-provider.ts'),
  ])
  // A detected platformCli is a guess: the service may never run the tool.
  const isGuess = settings?.authMode === 'platformCli' && settings.authModeFrom !== 'AUTH_MODE'
  const authMode = isGuess ? undefined : settings?.authMode
  // A cloud that was resolved before has the tenant of its credential.
  const isResolved = explained.provider !== undefined
  const cloud = resolveProvider(explained, isResolved ? explained.tenantId : settings && namedTenant(settings))
  const tenant = settings && tenantInUse(cloud.profile, settings, env)
  return withoutConsequences([
    ...cloud.warnings,
    ...lintProfile(cloud, { authMode, tenantFrom: tenant?.tenantId === cloud.tenantId ? tenant?.from : undefined }),
    ...findUnknownVariables(env),
    ...findForeignVariables(env, settings?.authMode, cloud.profile.authorityHost),
    ...findSuspectSecrets(env),
  ])
}

/** Warns of secrets that look like a mistake. A correct secret may look the same, so none is refused. */
export function findSuspectSecrets(env: Env): Warning[] {
  const variables = secretVariables.map((name) => [name, readVariable(env, name)] as const)
  return [...variables, ...Object.entries(readSecretFiles(env))].flatMap(([name, value]) => {
    const problem = value === undefined ? undefined : suspicionOf(value)
    return problem === undefined ? [] : { code: 'SECRET_SUSPECT', message: `${name} ${problem}` }
  })
}

/** Describes the form of a value without the value. */
function suspicionOf(value: string): string | undefined {
  const kind = referenceKindOf(value)
  if (kind !== undefined) return `has the form of ${kind.name}. If it is one: ${kind.fix}`
  const mistake = mistakeIn(value)
  if (mistake === undefined) return undefined
  const ends = mistake === 'quotes' ? 'begins and ends with a quotation mark' : 'begins or ends with a blank'
  return `${ends}, which is sent as part of the secret`
}

/** Warns of variables that start with PLATFORM_ but aren't settings. One in another letter case, which may be another tool's, must resemble one. */
export function findUnknownVariables(env: Env): Warning[] {
  const known = settingRows.map(({ name }) => name)
  return Object.keys(env)
    .filter((name) => /^platform_/i.test(name) && !known.includes(name) && readVariable(env, name) !== undefined)
    .sort()
    .flatMap((name) => {
      const nearest = nearestName(name.toUpperCase(), known)
      if (nearest === undefined && !name.startsWith('PLATFORM_')) return []
      const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`
      return { code: 'UNKNOWN_VARIABLE', message: `${quote(name.slice(0, 64))} is set, but is not a setting${hint}` }
    })
}
