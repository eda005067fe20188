import type { TokenCredential } from '@azure/identity'
import { createCredentialPlan } from '../../src/lib/index.ts'
import { createCredential as createOurs } from '../../src/lib/auth/credential.ts'
import { readProfile } from './read-profile.ts'

const plan = createCredentialPlan(readProfile(), process.env)

/** A fresh credential of ours, as this environment says. */
export function createCredential(): TokenCredential {
  return createOurs(plan)
}
