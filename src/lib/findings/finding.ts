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
  /** Whether its DNS suffix is proven. Only the name of the account can be wrong then. */
  readonly hasProvenSuffix?: boolean
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

/** A fact that a case may need: evidence, or a fact of the run. */
export type FactName =
  | EvidenceName
  | Extract<keyof RunFacts, 'mode' | 'authority' | 'authorityToSet' | 'audienceToSet' | 'clock' | 'clockOf'>
  | 'passed'
  /** The texts by which a web page identifies the gateway or portal that sent it. */
  | 'page'
  /** What sets the host's address, in words. Unknown if the live cloud confirms the address. */
  | 'addressSetting'
  /** `yes` if the DNS suffix of the account is proven. */
  | 'provenSuffix'
  /** What sets the audience of the host's tokens, in words. Unknown if the live cloud confirms it. */
  | 'audienceSetting'
  /** `public` outside of a run, if the cloud has published addresses. Then no other lookup shows whether this network resolves public names. */
  | 'onlyLookup'
  /** The custom profile file in force. */
  | 'profileFile'
  /** `resource manager` if the refused scope is the audience of the profile's resource manager, `service` for another scope. */
  | 'scopeOf'
  /** The audience of the scope to use. */
  | 'audienceToUse'
  /** `federated token` for a token that only the login authority accepts, `other audience` for one that it does not. */
  | 'audienceProblem'
  /** Among the fields that differ from the metadata: the proven ones with their proof, and the others. */
  | 'fieldsToKeep'
  | 'fieldsToCopy'

/** The facts that are known, by name. */
export type KnownFacts = { readonly [K in FactName]?: string | undefined }

/** A field of the profile, or the field with the address or token audience of the host. */
export type Target = ChangeableField | 'address' | 'audience'

/** What every text may use, because it always has a value. */
export interface Words {
  /** The host of the failure, or its kind if its name is unknown. */
  readonly at: string
  /** The kind of host. */
  readonly name: string
  readonly application: string
  readonly inTenant: string
  /** The variable or field that the case sets or corrects. */
  readonly setting: string
  /** The cloud of the foreign value. */
  readonly otherCloud: string
  /** Ends a fix outside of the profile: `, or correct ADDRESS.`, or the proof that the address is correct. */
  readonly orCorrect: string
  /** A sentence that says that the address is correct. Empty if the live cloud doesn't confirm it. */
  readonly proof: string
  /** A sentence that says that the local clock is correct. Empty if no host agrees with it. */
  readonly clockProof: string
  /** A fact between two texts. Empty if the fact is unknown. */
  readonly maybe: (name: FactName, before: string, after?: string) => string
  /** A fact, or another text if it is unknown. */
  readonly or: (name: FactName, otherwise: string) => string
  /** A field to edit between two texts. Empty if the live cloud confirms the field. */
  readonly unlessProven: (field: Target, before: string, after?: string) => string
}

/** A fix with its claims, which `choose-case.ts` checks against the facts. */
interface Action {
  /** At most 240 characters. Begins with a verb, and names the variable, field, file or command. */
  readonly fix: string | ((words: Words) => string)
  /** What it sets: a variable, the variable that a fact names, or a field of the profile. A proven field is never set. */
  readonly sets?: string | { readonly in: FactName } | { readonly field: Target }
  /** The fact with the value to set. A value of another known cloud is never set. */
  readonly value?: FactName
  /** Fields that it proposes to change without setting one of them. */
  readonly corrects?: readonly Target[]
  /** The layer at fault. It does not apply if this layer or a later one passed. */
  readonly blames?: Layer | undefined
}

/** When a case applies, and what it changes. */
interface Conditions<Needed extends FactName = FactName, Fixed extends FactName = FactName> extends Omit<
  Action,
  'fix'
> {
  /** The facts that must be known. */
  readonly needs?: readonly Needed[]
  /** Facts with a certain value, or one of several. */
  readonly is?: { readonly [K in Fixed]?: string | readonly string[] }
  /** A fact whose value belongs to another known cloud. */
  readonly foreign?: FactName
  /** A field that must be proven. The fix ends with the proof. */
  readonly ifProven?: Target
  /** Replaces the general cause. `{name}` is the kind of host. */
  readonly cause?: string | undefined
}

/** A fix for a more specific situation. */
export interface Case extends Conditions, Pick<Action, 'fix'> {}

/** Declares a case. Its text uses only facts that its conditions name. */
export function defineCase<const Needed extends FactName = never, const Fixed extends FactName = never>(
  conditions: Conditions<Needed, Fixed>,
  fix: string | ((given: Words & { readonly [K in Needed | Fixed]: string }) => string),
): Case {
  return { ...conditions, fix } as Case
}

/** The cause and the fix of a code, for an operator. */
export interface Finding extends Action {
  /** A noun phrase in sentence case, without a final period. */
  readonly title: string
  /** The reason, in at most 200 characters. */
  readonly cause: string
  /** The cause if a field that `cause` doubts is proven. */
  readonly causeIfProven?: { readonly field: Target; readonly cause: string }
  /** Fixes for more specific situations. The first one that applies replaces the general fix. */
  readonly cases?: readonly Case[]
  readonly subject?: Subject
  /** Whether this machine or its settings are at fault, and not a host. */
  readonly isLocal?: true
  /** The failures that follow from this one, such as a refused token. */
  readonly causes?: readonly ErrorCode[]
  /** Whether the token is at fault. A later token may be valid, so this one isn't cached. */
  readonly tokenAtFault?: true
  /** Phrases in the errors of this service and of other programs, regardless of case. `…` matches any words. */
  readonly signs?: readonly string[]
}

/** The texts of a network fault. In the title and the cause, `{name}` is the kind of host. */
export interface FaultText extends Omit<Finding, 'subject'> {
  /** Two or three words for the connection diagram. */
  readonly short: string
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
