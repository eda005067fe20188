import { azCloud } from './az-cloud.ts'
import { toolCloudOf } from './tool-clouds.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { shouldDisableInstanceDiscovery } from '../profile/instance-discovery.ts'

/**
 * The commands that tell the platform command-line tool about the cloud of a profile, make it the active one and sign
 * in; none for the three clouds that the tool knows from the start.
 */
export function cliRegistrationCommands(profile: CloudProfile, tenantId: string | undefined): string[] {
  if (toolCloudOf(profile) !== undefined) return []
  const { name, endpoints, suffixes } = azCloud(profile)
  const options = {
    ...Object.fromEntries(Object.entries(endpoints).map(([key, value]) => [`endpoint-${kebab(key)}`, value])),
    ...Object.fromEntries(Object.entries(suffixes).map(([key, value]) => [`suffix-${kebab(key)}`, value])),
  }
  // The tool has no option for the portal.
  const register = Object.entries(options)
    .filter(([option]) => option !== 'endpoint-portal')
    .map(([option, value]) => ` --${option} ${quote(value)}`)
  return [
    `az cloud register --name ${quote(name)}${register.join('')}`,
    `az cloud set --name ${quote(name)}`,
    ...(shouldDisableInstanceDiscovery(profile.authorityHost) ? ['az config set core.instance_discovery=false'] : []),
    tenantId === undefined ? 'az login' : `az login --tenant ${quote(tenantId)}`,
  ]
}

/** `active-directory` for `activeDirectory`. */
function kebab(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** One word for a shell: a profile's values may hold anything, and these commands are there to be pasted. */
function quote(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
