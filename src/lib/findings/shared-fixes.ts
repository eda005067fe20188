import type { Change, ChangeableField } from './fix.ts'
import type { Advice, Facts, FixRow } from './finding.ts'
import { given, say, sets } from './fix-row.ts'

/** The variable that overrides a field in a built-in profile. */
const variables: Readonly<Partial<Record<ChangeableField, string>>> = {
  authorityHost: 'PLATFORM_AUTHORITY_HOST',
  resourceManagerEndpoint: 'PLATFORM_RESOURCE_MANAGER_ENDPOINT',
  resourceManagerAudience: 'PLATFORM_RESOURCE_MANAGER_AUDIENCE',
  tenantId: 'PLATFORM_TENANT_ID',
  'serviceDnsSuffixes.storage': 'PLATFORM_STORAGE_DNS_SUFFIX',
  'serviceDnsSuffixes.keyVault': 'PLATFORM_KEYVAULT_DNS_SUFFIX',
  'serviceDnsSuffixes.sqlServer': 'PLATFORM_SQL_DNS_SUFFIX',
  'serviceDnsSuffixes.containerRegistry': 'PLATFORM_ACR_DNS_SUFFIX',
  'serviceAudiences.storage': 'PLATFORM_STORAGE_AUDIENCE',
  'serviceAudiences.keyVault': 'PLATFORM_KEYVAULT_AUDIENCE',
}

/** The file of the profile in force, if overrides have no effect on it. */
export interface SettingsInForce {
  /** The custom profile file; absent for a built-in profile. */
  readonly file?: string | undefined
  /** Whether the override variables apply: to a built-in, and to a file if PLATFORM_OVERRIDE_CUSTOM_PROFILE is true. */
  readonly overridesApply: boolean
}

/** The name of a field as the reader can change it. Without settings, with its variable in parentheses, as documents show it. */
export function nameOfField(field: ChangeableField, settings?: SettingsInForce): string {
  const change = changeOfField(field, settings)
  if (settings === undefined && field !== 'tenantId') {
    const variable = variables[field]
    return variable === undefined ? `${field} of the profile` : `${field} (${variable})`
  }
  if (change === undefined) return `\`${field}\` in a custom profile file (CUSTOM_CLOUD_PROFILE_PATH)`
  return 'variable' in change ? change.variable : `\`${field}\` in ${change.file}`
}

/** The tenant is a setting of the credential too, so its variable always has an effect. */
export function changeOfField(
  field: ChangeableField,
  { file, overridesApply }: SettingsInForce = { overridesApply: true },
  value?: string,
): Change | undefined {
  const variable = variables[field]
  const set = value === undefined ? {} : { value }
  if (variable !== undefined && (overridesApply || field === 'tenantId')) return { variable, ...set }
  return file === undefined ? undefined : { field, file, ...set }
}

/** The change of a field, for the end of a fix. */
export function changeTo({ run }: Facts, field: ChangeableField, value?: string): { readonly change?: Change } {
  const change = run.changeOf(field, value)
  return change === undefined ? {} : { change }
}

/** A fix that another person makes. */
export function askOperator(host: string, what: string): Advice {
  return { text: `Ask the operator of ${host} ${what}`, by: `operator of ${host}` }
}

/** The end of a fix where the live cloud confirms the profile. */
export const proven = (proof: string): string => ` The profile is correct (${proof}).`

/** A fix outside the profile, for when the live cloud confirms a field of the profile. */
export function ifProven(field: ChangeableField, fix: FixRow): FixRow {
  return (facts) => {
    const proof = facts.run.proven[field]
    const made = proof !== undefined && fix(facts)
    if (!made) return undefined
    return typeof made === 'string' ? made + proven(proof) : { ...made, text: made.text + proven(proof) }
  }
}

/** Sets a field to the value that the cloud names, or says whose value that is. */
function setTo(field: ChangeableField, valueIn: (facts: Facts) => readonly (string | undefined)[]): FixRow {
  return (facts) => {
    const [value, current] = valueIn(facts)
    if (value === undefined || facts.run.proven[field] !== undefined) return undefined
    const owner = facts.run.ownerOf(value)
    const name = facts.run.nameOf(field)
    if (owner !== undefined) return undefined
    const text = `Set ${name} to ${value}, which the cloud names. The current value is ${current}.`
    return { text, ...changeTo(facts, field, value) }
  }
}

export const setAuthority: FixRow = setTo('authorityHost', ({ run }) => [run.authorityToSet, run.authority])

export const setAudience: FixRow = setTo('resourceManagerAudience', ({ run }) => [run.audienceToSet, run.audience])

export const clockProof = ' The local clock is correct (it agrees with the login authority).'

/** The proof of the audience, where there is one. */
export const audienceProof = ({
  run: {
    proven: { resourceManagerAudience: proof },
  },
}: Facts): string => (proof === undefined ? '' : ` The audience is correct (${proof}).`)

/** A fix outside this machine, for when its clock agrees with that of the login authority. */
export function ifClockAgrees(fix: FixRow): FixRow {
  return (facts) => {
    const made = facts.run.clock === 'agrees' && fix(facts)
    if (!made) return undefined
    return typeof made === 'string' ? made + clockProof : { ...made, text: made.text + clockProof }
  }
}

/** A fix outside the profile, for a host that worked before with these settings: it, its DNS record or the network changed. */
export const workedBefore: FixRow = ({ host, run }) => {
  const { workedUntil } = run.endpoint ?? {}
  if (host === undefined || workedUntil === undefined) return undefined
  return askOperator(
    `${host}, or of the network to it,`,
    `what changed. It worked until ${workedUntil} with these settings, so do not change the profile.`,
  )
}

/** The OpenID configuration of the tenant names its cloud. */
export const tenantOfAnotherCloud: readonly FixRow[] = [
  sets(
    'PLATFORM_CLOUD',
    'platformCloud',
  )`Set PLATFORM_CLOUD=${'platformCloud'} (the tenant belongs to ${'tenantCloud'}${given('graphHost', ', Graph host ')}), or correct PLATFORM_TENANT_ID.`,
  say`Use a profile of ${'tenantCloud'}, which the tenant belongs to${given('graphHost', ' (Graph host ', ')')}, or correct PLATFORM_TENANT_ID.`,
]
