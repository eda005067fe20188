import { shortPrintable } from '../base/printable.ts'
import type { ExplainedProfile } from '../profile/explained-profile.ts'
import { overrideVariables } from '../profile/field-path.ts'

/** The part of the fix of PLACEHOLDER_PROFILE that depends on the source of the profile. */
const placeholdersFix =
  'Put them into a custom profile file (CUSTOM_CLOUD_PROFILE_PATH) or into override variables such as PLATFORM_AUTHORITY_HOST'

/**
 * Rewrites a fix so that it names what the reader can change. Findings name a setting as `field (VARIABLE)` or `field of the profile`; which
 * of them has an effect depends on the source of the profile: override variables have none beside a custom file, unless
 * PLATFORM_OVERRIDE_CUSTOM_PROFILE applies them.
 */
export function createSettingNames(
  { source }: Pick<ExplainedProfile, 'source'>,
  overridesCustomProfile: boolean,
): (fix: string) => string {
  const inFile = (field: string, path: string) => `\`${field}\` in ${shortPrintable(path, 200)}`
  const withVariable = (text: string, field: string, variable: string) => {
    if (overrideVariables[variable] !== field) return text
    return source.kind === 'file' && !overridesCustomProfile ? inFile(field, source.path) : variable
  }
  const ofProfile = (field: string) =>
    source.kind === 'file'
      ? inFile(field, source.path)
      : `\`${field}\` in a custom profile file (CUSTOM_CLOUD_PROFILE_PATH)`
  const isUnchanged = source.kind === 'file' && !overridesCustomProfile
  const replaced = isUnchanged
    ? `Replace the placeholders in ${shortPrintable(source.path, 200)} by them`
    : placeholdersFix
  return (fix) =>
    fix
      .replaceAll(placeholdersFix, () => replaced)
      // The tenant is a setting of the credential too, so its variable always has an effect.
      .replaceAll('PLATFORM_TENANT_ID (or tenantId of the profile)', 'PLATFORM_TENANT_ID')
      .replaceAll(/\b([a-z]\w*(?:\.\w+)?) \((PLATFORM_[A-Z_]+)\)/g, withVariable)
      .replaceAll(/\b(metadataEndpoint|resourceManagerEndpoint) of the profile\b/g, (_text, field: string) =>
        ofProfile(field),
      )
}
