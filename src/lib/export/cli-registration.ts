import { azCloud, azCloudOptions } from './az-cloud.ts'
import { toolCloudOf } from './tool-clouds.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { shouldDisableInstanceDiscovery } from '../profile/instance-discovery.ts'

/**
 * The commands that tell the platform command-line tool about the cloud of a profile, make it the active one and sign
 * in; none for the three clouds that the tool knows from the start.
 */
export function cliRegistrationCommands(profile: CloudProfile, tenantId: string | undefined): string[] {
  if (toolCloudOf(profile) !== undefined) return []
  const cloud = azCloud(profile)
  const options = azCloudOptions(cloud).map(([option, value]) => ` --${option} ${quote(value)}`)
  // The tool resolves a tenant that is no GUID, and cannot resolve that of a federation service.
  const tenant = tenantId === undefined || tenantId.toLowerCase() === 'adfs' ? '' : ` --tenant ${quote(tenantId)}`
  return [
    `az cloud register${options.join('')}`,
    `az cloud set --name ${quote(cloud.name)}`,
    ...(shouldDisableInstanceDiscovery(profile.authorityHost) ? ['az config set core.instance_discovery=false'] : []),
    `az login${tenant}`,
  ]
}

/** One word for a shell: a profile's values may hold anything, and these commands are there to be pasted. */
function quote(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
