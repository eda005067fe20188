import { join, relative, resolve } from 'node:path'
import type { ExplainedProfile } from '../lib/profile/explained-profile.ts'
import { unsupportedCloud, explainProfile } from '../lib/profile/resolve-cloud-profile.ts'
import { completeClouds } from '../lib/profile/profile-files.ts'
import { appDirectory } from './app-directory.ts'
import { type Options, type Values, UsageError } from './command.ts'
import type { Env } from '../lib/base/env.ts'
import { showValue } from '../lib/base/printable.ts'

/** The error for a name that isn't one of `names`. @param useFile Says how to use a profile file. */
export function refuseCloud(
  name: string,
  names: readonly string[],
  useFile = (path: string) => `give ${path} with --profile`,
): UsageError {
  return new UsageError(
    unsupportedCloud(name, { given: `cloud ${showValue(name)}`, names, useFile, pathOf: packagedFile }).message,
  )
}

/** The path of a file of this package, relative to the working directory if that is shorter. */
export function packagedFile(file: string): string {
  const path = join(appDirectory, file)
  const route = relative('.', path)
  return route.startsWith('..') ? path : route
}

/** The options that choose a profile. Default is the active profile. */
export const profileOptions = {
  cloud: {
    value: 'NAME',
    help: 'a known cloud, with the override variables applied',
    choices: completeClouds(),
    refuse: (name) => refuseCloud(name, completeClouds()),
  },
  profile: { value: 'FILE', help: 'a custom profile file' },
} as const satisfies Options

/** The option that adds known clouds. Default is the variable PLATFORM_KNOWN_CLOUDS. */
export const knownCloudsOption = {
  'known-clouds': { value: 'FOLDER', help: 'folder of profile files with further known clouds' },
} as const satisfies Options

/** @param argument The name of a cloud. @throws {UsageError} if two are given. @throws {ServiceError} as the resolver does. */
export function explainChosen(
  { cloud, profile }: Values<typeof profileOptions>,
  env: Env,
  argument?: string,
): ExplainedProfile {
  if ([cloud, profile, argument].filter((each) => each !== undefined).length > 1)
    throw new UsageError(`Give ${argument === undefined ? '' : 'NAME, '}--cloud or --profile, not both`)
  if (profile !== undefined) return explainProfile({ customProfilePath: expectFile(profile), env })
  const name = cloud ?? argument
  if (name === undefined) return explainProfile({ env, pathOf: packagedFile })
  if (!completeClouds().includes(name)) throw profileOptions.cloud.refuse(name)
  return explainProfile({ name, takesKnown: true, env: withoutCustomFile(env) })
}

/** Makes a path absolute. @throws {UsageError} for a blank path, which would count as unset and select another profile. */
export function expectFile(path: string): string {
  if (path.trim() === '') throw new UsageError('--profile needs the path of a file')
  return resolve(path)
}

/** A name on the command line overrides a custom file of the environment. */
export function withoutCustomFile({ CUSTOM_CLOUD_PROFILE_PATH: _path, ...env }: Env): Env {
  return env
}
