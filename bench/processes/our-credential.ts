import type { TokenCredential } from '@azure/identity'
import { openCredential } from '../../src/lib/auth/credential.ts'
import { planCredential } from '../../src/lib/auth/credential-plan.ts'
import { readCredentialSettings } from '../../src/lib/settings/settings.ts'
import { readProfile } from './read-profile.ts'

const plan = planCredential({ profile: readProfile() }, readCredentialSettings(process.env))

/** A fresh credential of ours, for the settings of this environment. */
export function createCredential(): TokenCredential {
  return openCredential(plan)
}
