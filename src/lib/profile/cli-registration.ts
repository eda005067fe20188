import { azSteps } from './az-cloud.ts'
import type { CloudProfile } from './cloud-profile.ts'
import { identityProviderOf } from './identity-provider.ts'
import { quoteShell } from '../base/quote-shell.ts'
import { knownCloudOf } from '../clouds/equal-values.ts'

/**
 * The commands that register the cloud of a profile in the platform command-line tool, make it the active one and sign
 * in. Empty for a cloud that the tool knows.
 */
export function cliRegistrationCommands(profile: CloudProfile, tenantId: string | undefined): string[] {
  if (knownCloudOf(profile)?.toolNames?.['az'] !== undefined) return []
  // The tool resolves a tenant that is no GUID, and cannot resolve that of a federation service.
  const provider = identityProviderOf(profile, tenantId)
  const tenant = provider.kind === 'federation-service' || tenantId === undefined ? [] : [['tenant', tenantId] as const]
  return [...azSteps(profile), { command: 'login', options: tenant }].map(
    ({ command, options }) =>
      `az ${command}${options.map(([option, value]) => ` --${option} ${word(value)}`).join('')}`,
  )
}

/** People paste these commands, so a plain word gets no quotes. */
function word(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : quoteShell(text)
}
