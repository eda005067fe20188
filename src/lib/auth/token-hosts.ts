import { ServiceError } from '../errors.ts'
import { readVariable, type Env } from '../profile/overrides.ts'
import { showValue } from '../profile/show-value.ts'

/**
 * The hosts, besides the authority's own, that a login document may name as its token endpoint.
 *
 * @throws {ServiceError} `SETTING_INVALID` when an entry is no `host` or `host:port`.
 */
export function readTokenHosts(env: Env): string[] {
  const value = readVariable(env, 'PLATFORM_ALLOWED_TOKEN_HOSTS')
  if (value === undefined) return []
  const hosts = value.split(',').map((host) => host.trim())
  const wrong = hosts.find(
    (host) => !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/i.test(host) || !URL.canParse(`https://${host}`),
  )
  if (wrong === undefined) return hosts
  throw new ServiceError(
    'SETTING_INVALID',
    `PLATFORM_ALLOWED_TOKEN_HOSTS must be a comma-separated list of hosts (host or host:port), but has ${showValue(wrong)}`,
  )
}
