import { resolve } from 'node:path'
import type { ExplainedProfile } from '../lib/profile/explained-profile.ts'
import { builtInProfileNames } from '../lib/clouds/known-clouds.ts'
import { completeClouds } from '../lib/profile/profile-files.ts'
import { explainProfile } from '../lib/profile/resolve-cloud-profile.ts'
import { type Options, type Values, UsageError } from './command.ts'
import type { Env } from '../lib/base/env.ts'

/** The options that choose a profile. Default is the active profile. */
export const profileOptions = {
  cloud: {
    type: 'string',
    value: 'NAME',
    help: 'a built-in profile, with the override variables applied',
    choices: builtInProfileNames,
  },
  profile: { type: 'string', value: 'FILE', help: 'a custom profile file' },
} as const satisfies Options

/** The name of any known cloud, for commands about clouds. */
export const knownCloudOption = {
  cloud: { type: 'string', value: 'NAME', help: 'a known cloud', choices: completeClouds() },
} as const satisfies Options

/** The option that adds known clouds. Default is the variable PLATFORM_KNOWN_CLOUDS. */
export const knownCloudsOption = {
  'known-clouds': { type: 'string', value: 'FOLDER', help: 'folder of profile files with further known clouds' },
} as const satisfies Options

/** @throws {UsageError} if both are given. @throws {ServiceError} as the resolver does. */
export function explainChosen({ cloud, profile }: Values<typeof profileOptions>, env: Env): ExplainedProfile {
  if (cloud !== undefined && profile !== undefined) throw new UsageError('Give --cloud or --profile, not both')
  if (profile !== undefined) return explainProfile({ customProfilePath: expectFile(profile), env })
  return cloud === undefined
    ? explainProfile({ env })
    : explainProfile({ name: cloud, takesKnown: true, env: withoutCustomFile(env) })
}

/**
 * Makes a path absolute, so that errors show all of it.
 *
 * @throws {UsageError} for a blank path, which would count as unset and select another profile.
 */
export function expectFile(path: string): string {
  if (path.trim() === '') throw new UsageError('--profile needs the path of a file')
  return resolve(path)
}

/** A name on the command line overrides a custom file of the environment. */
export function withoutCustomFile({ CUSTOM_CLOUD_PROFILE_PATH: _path, ...env }: Env): Env {
  return env
}
