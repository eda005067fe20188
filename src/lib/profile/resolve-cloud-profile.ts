import { refuseReferences, ServiceError } from '../errors.ts'
import { nearestName } from '../base/names.ts'
import type { CloudFile, CloudProfile } from '../clouds/cloud-profile.ts'
import { builtInClouds, builtInProfiles, defaultProfileName, knownClouds } from '../clouds/known-clouds.ts'
import { knownFiles } from '../clouds/known-files.ts'
import { explainDocument, type ExplainedProfile, type GivenValue, type ProfileSource } from './explained-profile.ts'
import { overrideVariables } from './field-path.ts'
import { parseFlag, readVariable, type Env } from '../base/env.ts'
import type { Env as PublicEnv } from '../base/variables.ts'
import { ownCopy } from '../base/json.ts'
import { cloudsOf, missingFields, readProfileFile } from './profile-files.ts'
import { showValue } from '../base/printable.ts'

// This folder selects, reads, validates and checks the one profile of a process. It reads profile files, and makes no request.

export interface ResolveOptions {
  /** Path of a custom profile file. Default is the variable CUSTOM_CLOUD_PROFILE_PATH. */
  readonly customProfilePath?: string | undefined
  /** Name of a built-in profile. Default is the variable PLATFORM_CLOUD, then `platform-us-government`. */
  readonly name?: string | undefined
  /** Environment variables. Default is the process environment. */
  readonly env?: PublicEnv | undefined
  /** Whether override variables apply to a custom profile too. Default is the variable PLATFORM_OVERRIDE_CUSTOM_PROFILE, then false. */
  readonly overrideCustomProfile?: boolean | undefined
}

interface Selection extends ResolveOptions {
  readonly profile?: CloudProfile | undefined
  /** The option that gave the name. Default is `name`. */
  readonly nameOption?: 'name' | 'cloud' | undefined
  /** Whether the name may also be a known cloud with a complete file, for commands about clouds. */
  readonly takesKnown?: boolean
  readonly pathOf?: NamePlace['pathOf']
}

/** Resolves the one cloud profile of this process: a custom file, or else a built-in with the override variables applied. */
export function explainProfile(given: Selection = {}): ExplainedProfile {
  const options = ownCopy(given)
  const { env = process.env, profile, customProfilePath } = options
  const names = ['PLATFORM_KNOWN_CLOUDS', 'PLATFORM_CLOUD', 'CUSTOM_CLOUD_PROFILE_PATH']
  const variables = ownCopy(Object.fromEntries(names.map((name) => [name, readVariable(env, name)])))
  refuseReferences({ ...variables, customProfilePath })
  const optionPath = customProfilePath?.trim() ? customProfilePath : undefined
  const path = optionPath ?? variables['CUSTOM_CLOUD_PROFILE_PATH']
  const explained =
    profile !== undefined
      ? explainCustom(profile, { kind: 'option' }, options)
      : path === undefined
        ? explainBuiltIn(options, env)
        : explainCustom(readProfileFile(path), { kind: 'file', path }, options, optionPath !== undefined)
  const folder = variables['PLATFORM_KNOWN_CLOUDS']
  return folder === undefined ? explained : ownCopy({ ...explained, clouds: cloudsOf(env, folder) })
}

function explainCustom(
  document: unknown,
  source: ProfileSource,
  { env = process.env, overrideCustomProfile }: ResolveOptions,
  isOption = true,
): ExplainedProfile {
  const overrides = findOverrides(env)
  const isOverridden = overrideCustomProfile ?? readOverrideSwitch(env)
  const selectedBy = isOption ? 'option' : 'CUSTOM_CLOUD_PROFILE_PATH'
  const explained = explainDocument(document, source, isOverridden ? withoutReferences(overrides) : [], selectedBy)
  // PLATFORM_TENANT_ID is never unused: the credential reads it too.
  const unused = overrides.map(({ from }) => from).filter((name) => name !== 'PLATFORM_TENANT_ID')
  if (isOverridden || unused.length === 0) return explained
  const message = `The custom ${source.kind === 'file' ? 'file' : 'profile'} is used unchanged, so ${unused.join(', ')} had no effect`
  return ownCopy({ ...explained, warnings: [...explained.warnings, { code: 'OVERRIDE_UNUSED', message }] })
}

function explainBuiltIn({ name: asked, nameOption, takesKnown, pathOf }: Selection, env: Env): ExplainedProfile {
  const chosen = asked?.trim() ? asked : undefined
  const configured = readVariable(env, 'PLATFORM_CLOUD')
  const name = chosen ?? configured ?? defaultProfileName
  const known = takesKnown === true ? knownClouds.find((cloud) => cloud.name === name) : undefined
  const document = builtInProfiles.get(name) ?? known
  if (document === undefined || missingFields(document).length > 0) {
    throw refuseName(name, chosen === undefined ? undefined : (nameOption ?? 'name'), pathOf)
  }
  const selectedBy = chosen !== undefined ? 'option' : configured !== undefined ? 'PLATFORM_CLOUD' : 'default'
  return explainDocument(document, { kind: 'built-in', name }, withoutReferences(findOverrides(env)), selectedBy)
}

/** @param option The option that named the cloud; `undefined` for PLATFORM_CLOUD. */
function refuseName(name: string, option: Selection['nameOption'], pathOf: NamePlace['pathOf']): ServiceError {
  return unsupportedCloud(name, {
    given: `${option === 'cloud' ? 'options.cloud' : 'PLATFORM_CLOUD'} ${showValue(name)}${option === 'name' ? ' (options.name)' : ''}`,
    names: [...builtInProfiles.keys()],
    useFile: (path) =>
      option === undefined ? `set CUSTOM_CLOUD_PROFILE_PATH to ${path}` : `pass ${path} as customProfilePath`,
    fix: option && `Pass a name that the message lists as options.${option}, or a profile file as customProfilePath.`,
    pathOf,
  })
}

/** Refuses references in the override variables that apply, with the other settings of a start. PLATFORM_TENANT_ID is a setting itself. */
export function refuseOverrideReferences(env: Env): void {
  const isCustom = readVariable(env, 'CUSTOM_CLOUD_PROFILE_PATH') !== undefined
  if (!isCustom || readVariable(env, 'PLATFORM_OVERRIDE_CUSTOM_PROFILE')?.trim() === 'true')
    withoutReferences(findOverrides(env).filter(({ from }) => from !== 'PLATFORM_TENANT_ID'))
}

/** The override variables that are set, in the order of the table. */
function findOverrides(env: Env): GivenValue[] {
  return Object.entries(overrideVariables).flatMap(([variable, path]) => {
    const value = readVariable(env, variable)
    return value === undefined ? [] : [{ path, value, by: 'variable' as const, from: variable }]
  })
}

/** @throws {ServiceError} `REFERENCE_UNRESOLVED` if the value of one is a reference. */
function withoutReferences(overrides: GivenValue[]): GivenValue[] {
  refuseReferences(Object.fromEntries(overrides.map(({ from, value }) => [from, value])))
  return overrides
}

/** Whether PLATFORM_OVERRIDE_CUSTOM_PROFILE applies the overrides to a custom file too. @throws {ServiceError} `SETTING_INVALID` */
function readOverrideSwitch(env: Env): boolean {
  const value = readVariable(env, 'PLATFORM_OVERRIDE_CUSTOM_PROFILE') ?? 'false'
  const isApplied = parseFlag(value.trim())
  if (isApplied !== undefined) return isApplied
  const message = `PLATFORM_OVERRIDE_CUSTOM_PROFILE must be true or false, but is ${showValue(value)}`
  throw new ServiceError('SETTING_INVALID', message)
}

/** Where a name of a cloud was given, and what the reader can do instead. */
export interface NamePlace {
  /** The name and its place, such as `PLATFORM_CLOUD "bleu"`. */
  readonly given: string
  /** The names that are valid there. */
  readonly names: readonly string[]
  /** What to change, if the catalog's fix names a setting that the caller did not use. */
  readonly fix?: string | undefined
  /** Says how to use a profile file. */
  readonly useFile: (path: string) => string
  /** The path of a file of this package where the reader is. Default is its path in the package. */
  readonly pathOf?: ((file: string) => string) | undefined
}

/** The error for a name that isn't valid in a place. Every place has the same hint. */
export function unsupportedCloud(name: string, { given, names, useFile, pathOf, fix }: NamePlace): ServiceError {
  const known = cloudOfName(name, names)
  const other = known !== undefined && !names.includes(known.name) ? known : undefined
  const error = (text: string) => new ServiceError('UNSUPPORTED_CLOUD', `Unsupported ${given}${text}`, { fix })
  const missing = other === undefined ? [] : missingFields(other)
  if (other !== undefined && missing.length > 0) {
    const { displayName, resourceManagerEndpoint = 'https://management.CLOUD/' } = other
    return error(
      `: the published values of ${displayName} lack ${missing.join(', ')}. In that cloud run: cloud-profile discover ${resourceManagerEndpoint} --name ${other.name} --output ${other.name}.json; then complete the file and ${useFile('its path')}`,
    )
  }
  const file = fileOf(other, pathOf)
  const meant =
    known && (file === undefined ? `Did you mean ${known.name}? ` : `For ${known.displayName}, ${useFile(file)}. `)
  return error(`. ${meant ?? ''}Use one of ${names.join(', ')}, or ${useFile('a profile file')}`)
}

const fileNameOf = (cloud: CloudFile | undefined) => Object.keys(knownFiles).find((file) => knownFiles[file] === cloud)

/** The path of a known cloud's file. `undefined` for a built-in one, which is selected by its name. */
export function fileOf(cloud: CloudFile | undefined, pathOf = (path: string): string => path): string | undefined {
  const file = fileNameOf(cloud)
  return file === undefined ? undefined : pathOf(`cloud-profiles/known/${file}.json`)
}

/** The cloud that a name means: its own, its file's, its name in a tool, or one that resembles these. A short word resembles a valid name only. */
function cloudOfName(name: string, valid: readonly string[]): CloudFile | undefined {
  const bare = (text: string) => text.toLowerCase().replace(/^platform-|[^a-z0-9]/g, '')
  const wanted = bare(name.slice(0, 64))
  const rows = [...builtInClouds, ...knownClouds].flatMap((cloud) => {
    const others = [fileNameOf(cloud) ?? [], Object.values(cloud.toolNames ?? {})].flat()
    return [cloud.name, ...others].map((each) => [each, cloud] as const)
  })
  const names = rows.map(([each]) => each)
  const similar = nearestName(name.trim(), valid) ?? (wanted.length < 8 ? undefined : nearestName(name, names))
  const meant = names.find((each) => bare(each) === wanted) ?? similar
  return rows.find(([each]) => each === meant)?.[1]
}
