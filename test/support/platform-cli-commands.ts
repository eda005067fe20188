import type { EnclaveCloud } from '../../src/enclave/enclave.ts'

/**
 * The commands, in order, that register the enclave with the command-line tool, activate it, log in with the service principal and
 * get a token. Each is a whole argument vector.
 *
 * A tenanted authority needs the tool's version 2.54 or later: older ones always ask the public cloud about an authority,
 * and have no setting against it. They do not ask about a federation service.
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
