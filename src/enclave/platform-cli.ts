import type { EnclaveCloud } from './enclave-cloud.ts'
import { quoteForShell } from './settings.ts'

/**
 * The commands, in order, that register the enclave with the command-line tool, make it active, log in with the service principal and
 * get a token. Each is a whole argument vector.
 *
 * A tenanted authority needs the tool's version 2.54 or later: older ones always ask the public cloud whether they may trust an
 * authority, and know no setting against it. With a federation service they do not ask.
 */
export function platformCliCommands(enclave: EnclaveCloud): readonly (readonly string[])[] {
  const { profile, directoryId, clientId, clientSecret } = enclave
  const endpoint = (address: string): string => address.replace(/\/$/, '')
  const cloud = {
    '--endpoint-resource-manager': endpoint(profile.resourceManagerEndpoint),
    '--endpoint-active-directory': endpoint(profile.authorityHost),
    '--endpoint-active-directory-resource-id': profile.resourceManagerAudience,
    '--endpoint-active-directory-graph-resource-id': profile.resourceManagerAudience,
    '--suffix-storage-endpoint': profile.serviceDnsSuffixes.storage.replace(/^\.blob\./, ''),
    '--suffix-keyvault-dns': profile.serviceDnsSuffixes.keyVault,
  }
  // Joined with `=`, because a secret may begin with a dash.
  const secret = `--password=${clientSecret}`
  return [
    ['az', 'cloud', 'register', '--name', profile.name, ...Object.entries(cloud).flat()],
    ['az', 'cloud', 'set', '--name', profile.name],
    ['az', 'config', 'set', 'core.instance_discovery=false', '--only-show-errors'],
    ['az', 'login', '--service-principal', '--username', clientId, secret, '--tenant', directoryId, '--output', 'json'],
    ['az', 'account', 'get-access-token', '--resource', profile.resourceManagerAudience, '--output', 'json'],
  ]
}

/** One argument vector as a line for a POSIX shell. Plain words stay as they are. */
export function formatShellCommand(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoteForShell(word))).join(' ')
}
