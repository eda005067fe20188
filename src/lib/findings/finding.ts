import type { ErrorCode } from './codes.ts'
import type { EvidenceName } from './evidence.ts'

/** The layers of a request with a token, in the order in which they pass. */
export const layers = ['proxy', 'dns', 'tcp', 'tls', 'response', 'token'] as const

export type Layer = (typeof layers)[number]

/** The kind of host that a network error concerns. */
export interface Subject {
  /** Noun phrase for the middle of a sentence. */
  readonly name: string
  /** The field that sets its address. */
  readonly field?: ChangeableField
  /** The setting of its address in words, if it isn't a field of the profile. */
  readonly address?: string
}

/** The facts of a run about the endpoint of a failure. */
export interface EndpointFacts {
  /** The setting of its address in words: a variable, or a field in a file. */
  readonly address?: string | undefined
  /** The field of its address. */
  readonly field?: ChangeableField | undefined
  /** The field of its token audience. */
  readonly audienceField?: ChangeableField | undefined
  /** The last layer that passed at its host in this run. */
  readonly passed?: Layer | undefined
}

/** The observations of a diagnostics run, in addition to the evidence of a failure. */
export interface RunFacts {
  /** The custom profile file in force. */
  readonly file?: string | undefined
  /** The active AUTH_MODE. */
  readonly mode?: string | undefined
  readonly tenantId?: string | undefined
  readonly clientId?: string | undefined
  readonly audience?: string | undefined
  readonly authority?: string | undefined
  /** The login authority or audience that the cloud publishes, if the profile has another value. */
  readonly authorityToSet?: string | undefined
  readonly audienceToSet?: string | undefined
  /** The fields of the profile that the live cloud confirms, each with the proof in words. */
  readonly proven: Readonly<Partial<Record<ChangeableField, string>>>
  /** The result of comparing the local clock with the login authority and the other hosts. */
  readonly clock?: 'agrees' | 'authority differs'
  /** Whether the login authority and the resource manager are published addresses of a known cloud. */
  readonly isPublic?: boolean
  /** The hosts that agree with the local clock. */
  readonly clockOf?: string | undefined
  readonly endpoint?: EndpointFacts | undefined
  /** The thing to edit in words: a variable, or a field in a file. */
  nameOf(field: ChangeableField): string
  changeOf(field: ChangeableField, value?: string): Change | undefined
  /** The name of the other known cloud that a value belongs to. `undefined` for a value of the profile's cloud and for an unknown value. */
  ownerOf(value: string): string | undefined
}

/** A field of the profile, or the field with the address or token audience of the host. */
export type Target = Exclude<ChangeableField, `service${string}`> | 'address' | 'audience'

/** A fact about a failure. */
export type FactName =
  | EvidenceName
  | keyof Pick<RunFacts, 'file' | 'mode' | 'authority' | 'authorityToSet' | 'audienceToSet'>
  | keyof Pick<EndpointFacts, 'audienceField' | 'passed'>
  /** The kind of host. */
  | 'name'
  /** The host of the failure, or its kind if its name is unknown. */
  | 'at'
  /** The client id, or the variable with it. */
  | 'application'
  /** A sentence that says that the local clock is correct. Unknown if no host agrees with it. */
  | 'clockProof'
  /** The texts by which a web page identifies the gateway or portal that sent it. */
  | 'page'
  /** `resource manager` if the refused scope is the audience of the profile's resource manager, `service` for another scope. */
  | 'scopeOf'
  /** The audience of the scope to use. */
  | 'audienceToUse'
  /** The proven ones among the fields that differ from the metadata, with their proof. */
  | 'fieldsToKeep'

/** A part of a fact or of a field, or a condition, which the text doesn't show. */
type FactPart =
  /** The fact has this value, or one of several (`name=one|another`). */
  | `${FactName}=${string}`
  /** The fact is known. The live cloud doesn't confirm the target. In this run, neither the layer nor a later one passed. */
  | `${FactName}.known`
  | `${Target | Layer}.open`
  /** What sets the target, in words: a variable, or a field in a file. Unknown if the live cloud confirms the target, so that no fix changes it. */
  | `${Target}.setting`
  /** As `setting`, or a variable, or a fact with a variable: what the fix changes. Never a proven field. */
  | `${Target | 'variable' | 'noProxy' | Uppercase<string>}.change`
  /** The new value of what the fix changes. Never a value of another known cloud. */
  | `${FactName}.value`
  /** A sentence that says that the target is correct. Unknown if the live cloud doesn't confirm it. */
  | `${Target}.proof`
  /** The name of the other known cloud that the value belongs to. Unknown for a value of the profile's cloud. */
  | `${FactName}.cloud`
  /** The host of a URL, and the beginning of a digest. */
  | `${FactName}.${'host' | 'start'}`

/** The names in braces, in all texts of T, that aren't facts. A test shows that the findings have no such name. */
export type UnknownFact<T> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Exclude<Name, FactName | FactPart> | UnknownFact<Rest>
  : T extends readonly (infer Item)[]
    ? UnknownFact<Item>
    : T extends object
      ? UnknownFact<T[keyof T]>
      : never

/**
 * The cause and the fixes of a code, for an operator. A fix has at most 240 characters. After its conditions it begins with a verb, and names
 * the variable, field, file or command. It applies if every fact in braces is known. Of `[one|another]`, the first text whose facts are known
 * appears, or nothing.
 */
export interface Finding {
  /** A noun phrase in sentence case, without a final period. In the title and the cause of a network fault, `{name}` is the kind of host. */
  readonly title: string
  /** The reason, in at most 200 characters. */
  readonly cause: string
  readonly fix: string
  /** Fixes for more specific situations. The first one that applies replaces the general fix. */
  readonly cases?: readonly string[]
  readonly subject?: Subject
  /** Whether this machine or its settings are at fault, and not a host. */
  readonly isLocal?: boolean
  /** The failures that follow from this one, such as a refused token. */
  readonly causes?: readonly ErrorCode[]
  /** Whether the token is at fault. A later token may be valid, so this one isn't cached. */
  readonly tokenAtFault?: true
  /** Phrases in the errors of this service and of other programs, regardless of case. `…` matches any words. */
  readonly signs?: readonly string[]
}

/** The fields of a profile that a fix may change. */
export type ChangeableField =
  | 'authorityHost'
  | 'resourceManagerEndpoint'
  | 'resourceManagerAudience'
  | 'metadataEndpoint'
  | 'tenantId'
  | `serviceDnsSuffixes.${'storage' | 'keyVault' | 'sqlServer' | 'containerRegistry'}`
  | `serviceAudiences.${'arm' | 'storage' | 'keyVault'}`
  | `services.${string}`

/** The variable or the field of a profile file that a fix sets. */
export type Change<Field extends string = ChangeableField> =
  | { readonly variable: string; readonly value?: string }
  | { readonly field: Field; readonly file: string; readonly value?: string }

/** The override variable of each field. */
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

/** The source of each field of the active profile. */
export interface SettingsInForce {
  /** The custom profile file. Absent for a built-in profile. */
  readonly file?: string | undefined
  /** The variable that sets a field, or that its value is derived from. */
  variableOf(field: ChangeableField): { readonly variable: string; readonly isDerived: boolean } | undefined
}

/** The thing to edit in words: a variable, or a field in a file. For documents, without settings, a field with its variable. */
export function nameOfField(field: ChangeableField, settings?: SettingsInForce): string {
  if (settings === undefined && field !== 'tenantId') {
    const variable = variables[field]
    return variable === undefined ? `${field} of the profile` : `${field} (${variable})`
  }
  const change = changeOfField(field, settings)
  if (change === undefined) return `\`${field}\` in a custom profile file (CUSTOM_CLOUD_PROFILE_PATH)`
  return 'variable' in change ? change.variable : `\`${field}\` in ${change.file}`
}

/** What to set: the variable that sets the field, or the profile file. An unset variable would override only a built-in profile. */
export function changeOfField(field: ChangeableField, settings?: SettingsInForce, value?: string): Change | undefined {
  const [own, setBy] = [variables[field], settings?.variableOf(field)]
  const set = value === undefined ? {} : { value }
  // The tenant is also a setting of the credential, so its variable has an effect on a custom file too.
  const variable = field === 'tenantId' ? own : setBy?.isDerived === true ? (own ?? setBy.variable) : setBy?.variable
  if (variable !== undefined) return { variable, ...set }
  if (settings?.file !== undefined) return { field, file: settings.file, ...set }
  return own === undefined ? undefined : { variable: own, ...set }
}
