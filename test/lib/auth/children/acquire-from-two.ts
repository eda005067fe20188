import { createCredentialPlan } from '../../../../src/lib/index.ts'
import { openCredential } from '../../../../src/lib/auth/credential.ts'
import { isServiceError } from '../../../../src/lib/errors.ts'
import { resolveCloudProfile } from '../../../../src/lib/cloud.ts'
import { scopeFor } from '../../../../src/lib/profile/endpoints.ts'

// One process with several managed identities, one after the other, each with the variables of an argument. The outcomes are JSON on stdout.
const profile = resolveCloudProfile()
const outcomes: string[] = []
for (const variables of JSON.parse(process.argv[2] ?? '') as Record<string, string>[]) {
  const env = { ...process.env, ...variables }
  // As an application does that is configured anew: the library reads the variables of the process.
  Object.assign(process.env, variables)
  const credential = openCredential(createCredentialPlan(profile, env), { processEnv: process.env })
  const outcome = credential.getToken(scopeFor(profile.resourceManagerAudience)).then(
    () => 'acquired',
    (error: unknown) => (isServiceError(error) ? `${error.code}: ${error.message}` : `foreign: ${String(error)}`),
  )
  outcomes.push(await outcome)
}
process.stdout.write(JSON.stringify(outcomes))
