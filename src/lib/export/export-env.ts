import { builtInProfileNames } from '../profile/built-in-profiles.ts'
import type { CloudEnvironment } from '../profile/cloud-environment.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { valueAt } from '../profile/field-path.ts'
import { overrideVariables } from '../profile/overrides.ts'
import { header } from './header.ts'
import { quoteShell } from './quote.ts'
import { authorityWithoutTenant } from './tool-values.ts'

/** The built-in profile that the override variables are laid over. */
const bases: Readonly<Record<CloudEnvironment, string>> = {
  public: 'platform-commercial',
  usgovernment: 'platform-us-government',
  usgovernmentsecret: 'platform-us-gov-secret',
  usgovernmenttopsecret: 'platform-us-gov-topsecret',
  platformstackcloud: 'platformstack-custom',
  custom: 'platformstack-custom',
}

/**
 * Variables for a POSIX shell, to be sourced: the profile as this service's override variables over a built-in one,
 * and the two variables by which the credential libraries of other tools find their authority.
 */
export function exportEnv(profile: CloudProfile): string {
  const base = builtInProfileNames.includes(profile.name) ? profile.name : bases[profile.environment]
  const variables: [string, string][] = [['PLATFORM_CLOUD', base]]
  for (const [variable, path] of Object.entries(overrideVariables)) {
    const value = valueAt(profile, path)
    if (typeof value === 'string' && variable !== 'PLATFORM_ARM_AUDIENCE') variables.push([variable, value])
  }
  variables.push(['AZURE_AUTHORITY_HOST', authorityWithoutTenant(profile)])
  if (profile.tenantId !== undefined) variables.push(['AZURE_TENANT_ID', profile.tenantId])
  const lines = variables.map(([name, value]) => `export ${name}=${quoteShell(value)}\n`)
  const note =
    'Names, portal, metadata endpoint and serviceAudiences.arm have no variable: they are those of PLATFORM_CLOUD.'
  return header(profile, 'env', '#', note) + lines.join('')
}
