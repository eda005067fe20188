import type { ConcreteFix } from './finding.ts'

/** A fix outside the profile, for when the cloud's own metadata confirms a value of the profile. */
export function profileIsCorrect(fix: string, confirmed: string): ConcreteFix {
  return { when: 'metadataAgrees', fix: `${fix} The profile is correct (the cloud's metadata confirms ${confirmed}).` }
}

/** A fix outside this machine, for when its clock agrees with that of the login authority. */
export function clockIsCorrect(fix: string): ConcreteFix {
  return { when: 'clockAgrees', fix: `${fix} The local clock is correct (it agrees with the login authority).` }
}

export const setAuthority: ConcreteFix = {
  fix: 'Set authorityHost (PLATFORM_AUTHORITY_HOST) to {authorityToSet}, which the cloud names. The current value is {authority}.',
}

export const setAudience: ConcreteFix = {
  fix: 'Set resourceManagerAudience (PLATFORM_RESOURCE_MANAGER_AUDIENCE) to {audienceToSet}, which the cloud names. The current value is {audience}.',
}
