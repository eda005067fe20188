import { createCredentialPlan } from '../../../../src/lib/index.ts'
import { openCredential } from '../../../../src/lib/auth/credential.ts'
import { isServiceError } from '../../../../src/lib/errors.ts'
import { resolveCloudProfile } from '../../../../src/lib/cloud.ts'
import { scopeFor } from '../../../../src/lib/profile/endpoints.ts'
import type { TraceStep } from '../../../../src/lib/transport/attempt.ts'

// One attempt with the environment of this process, as JSON on stdout: managed identity keeps its source and its
// cache in statics of the process, so each variant gets a separate process.
const profile = resolveCloudProfile()
let trace: readonly TraceStep[] = []
const timeoutMs = Number(process.env['ATTEMPT_TIMEOUT_MS'] ?? 120_000)
const credential = openCredential(createCredentialPlan(profile, process.env), {
  timeoutMs,
  onEnd: ({ steps }) => (trace = steps),
})
const outcome = await credential.getToken(scopeFor(profile.resourceManagerAudience)).then(
  (token) => ({ outcome: 'acquired', token: token?.token }),
  (error: unknown) => ({ outcome: isServiceError(error) ? error.code : `foreign error: ${String(error)}` }),
)
process.stdout.write(
  JSON.stringify({
    ...outcome,
    hosts: [...new Set(trace.map(({ host }) => host))],
    federatedTokenFile: process.env['AZURE_FEDERATED_TOKEN_FILE'],
  }),
)
