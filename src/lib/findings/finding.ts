import type { Evidence } from './evidence.ts'

/** The layers of a request up to an accepted token, in this order. */
export const layers = ['proxy', 'dns', 'tcp', 'tls', 'response', 'token'] as const

export type Layer = (typeof layers)[number]

/** A kind of host that a network code concerns, in the words of its findings. */
export interface Subject {
  /** Noun phrase for the middle of a sentence. */
  readonly name: string
  /** The field that sets its address. */
  readonly field?: ChangeableField
  /** Where its address is set, if no field of the profile does. */
  readonly address?: string
}

/** What the run knows about the endpoint of a failure. */
export interface EndpointFacts {
  /** The setting with its address, as the reader can change it. */
  readonly address?: string | undefined
  readonly field?: ChangeableField | undefined
  /** Whether its DNS suffix is proven, so that only the name of the account can be wrong. */
  readonly hasProvenSuffix?: boolean
  /** The field of the audience of its tokens. */
  readonly audienceField?: ChangeableField | undefined
  /** The highest layer that passed at its host in this run. */
  readonly passed?: Layer | undefined
  /** When it last worked with these settings in this process, in words. */
  readonly workedUntil?: string | undefined
}

/** What a diagnostics run has observed, in addition to the evidence of the failure. */
export interface RunFacts {
  /** Whether a custom profile file is in force. */
  readonly hasFile?: boolean | undefined
  /** AUTH_MODE in force. */
  readonly mode?: string | undefined
  readonly tenantId?: string | undefined
  readonly clientId?: string | undefined
  readonly audience?: string | undefined
  readonly authority?: string | undefined
  /** The login authority or audience that the cloud itself names where the profile has another. */
  readonly authorityToSet?: string | undefined
  readonly audienceToSet?: string | undefined
  /** The fields of the profile that the live cloud confirms, each with its proof in words. */
  readonly proven: Readonly<Partial<Record<ChangeableField, string>>>
  /** Which clock is correct, according to the other hosts. */
  readonly clock?: 'agrees' | 'local clock differs' | 'authority differs'
  /** Whether login authority and resource manager are published addresses of a known cloud. */
  readonly isPublic?: boolean
  /** The hosts that agree with the local clock. */
  readonly clockOf?: string | undefined
  readonly endpoint?: EndpointFacts | undefined
  /** The name of a setting as the reader can change it: the variable, or the field and its file. */
  nameOf(field: ChangeableField): string
  changeOf(field: ChangeableField, value?: string): Change | undefined
  /** The other known cloud that a value belongs to; `undefined` for values of the profile's cloud and for unknown ones. */
  ownerOf(value: string): string | undefined
}

/** The input of a row: evidence that has a valid shape, the kind of host, and the facts of the run. */
export type Facts = Evidence & { readonly run: RunFacts; readonly subject?: Subject | undefined }

/** What an operator does about a failure. */
export interface Fix {
  /** Begins with a verb, and names the variable, field, file or command. */
  readonly text: string
  readonly change?: Change
  /** Who has to act, where it is not the reader, such as `operator of login.enclave.test`. */
  readonly by?: string
}

/** A fix with what it claims, so that no row can contradict the facts. */
export interface Advice extends Fix {
  /** Replaces the general cause. */
  readonly cause?: string
  /** The layer that it blames, if any. A row that blames a layer below a layer that passed is skipped. */
  readonly blames?: Layer
  /** The fields of the profile that it proposes to change. A row that names a proven field is skipped. */
  readonly corrects?: readonly ChangeableField[]
}

/** Makes a fix from facts, or returns nothing if the row does not apply. */
export type FixRow = (facts: Facts) => Advice | undefined

/** The cause and the fix of a code, for an operator. */
export interface Finding {
  /** A noun phrase in sentence case, without a final period. */
  readonly title: string
  /** Why it happens, in at most 200 characters. */
  readonly cause: string
  /** The cause where a field that `cause` doubts is proven: the address of the host, the audience of its tokens, or the named one. */
  readonly causeIfProven?: { readonly field: ChangeableField | 'address' | 'audience'; readonly cause: string }
  /** The change to make, in at most 240 characters. Begins with a verb. The first row with a true condition applies; the last row has none. */
  readonly fix: string | readonly (FixRow | string)[]
  /** The host that it concerns. */
  readonly subject?: Subject
  /** This machine or its settings are at fault, and no host is. */
  readonly isLocal?: true
  /** The token is at fault and a later one may be valid, so it is not cached until it expires. */
  readonly tokenAtFault?: true
  /** What a person sees in the errors of this service and of other programs, in any case. `…` matches other words. */
  readonly signs?: readonly string[]
}

/** The texts of a fault of any host. `{name}` in title and cause is the kind of host. */
export interface FaultText extends Pick<Finding, 'title' | 'cause' | 'causeIfProven' | 'fix' | 'signs'> {
  /** For the connection diagram: two or three words. */
  readonly short: string
}

/** The fields of a profile that a fix may change. Each further service of a cloud has a field. */
export type ChangeableField =
  | 'authorityHost'
  | 'resourceManagerEndpoint'
  | 'resourceManagerAudience'
  | 'metadataEndpoint'
  | 'tenantId'
  | `serviceDnsSuffixes.${'storage' | 'keyVault' | 'sqlServer' | 'containerRegistry'}`
  | `serviceAudiences.${'arm' | 'storage' | 'keyVault'}`
  | `services.${string}`

/** The one thing that a fix sets: an environment variable, or a field of a profile file. */
export type Change<Field extends string = ChangeableField> =
  | { readonly variable: string; readonly value?: string }
  | { readonly field: Field; readonly file: string; readonly value?: string }

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

/** What sets the fields of the profile in force. */
export interface SettingsInForce {
  /** The custom profile file; absent for a built-in profile. */
  readonly file?: string | undefined
  /** The variable that sets a field, or from which its value derives. */
  variableOf(field: ChangeableField): { readonly variable: string; readonly isDerived: boolean } | undefined
}

/** The name of a field as the reader can change it. Without settings, with its variable in parentheses, as documents show it. */
export function nameOfField(field: ChangeableField, settings?: SettingsInForce): string {
  if (settings === undefined && field !== 'tenantId') {
    const variable = variables[field]
    return variable === undefined ? `${field} of the profile` : `${field} (${variable})`
  }
  const change = changeOfField(field, settings)
  if (change === undefined) return `\`${field}\` in a custom profile file (CUSTOM_CLOUD_PROFILE_PATH)`
  return 'variable' in change ? change.variable : `\`${field}\` in ${change.file}`
}

/** The variable that sets the field, else the file of the profile. A variable that is not set can override a built-in profile only. */
export function changeOfField(field: ChangeableField, settings?: SettingsInForce, value?: string): Change | undefined {
  const [own, setBy] = [variables[field], settings?.variableOf(field)]
  const set = value === undefined ? {} : { value }
  // The tenant is a setting of the credential too, so its variable always has an effect.
  const variable = field === 'tenantId' ? own : setBy?.isDerived === true ? (own ?? setBy.variable) : setBy?.variable
  if (variable !== undefined) return { variable, ...set }
  if (settings?.file !== undefined) return { field, file: settings.file, ...set }
  return own === undefined ? undefined : { variable: own, ...set }
}
