import { createCredentialPlan } from '../../../../src/lib/index.ts'
import { openCredential } from '../../../../src/lib/auth/credential.ts'
import { isServiceError } from '../../../../src/lib/errors.ts'
import { resolveCloudProfile } from '../../../../src/lib/cloud.ts'
import { scopeFor } from '../../../../src/lib/profile/endpoints.ts'
import type { TraceStep } from '../../../../src/lib/transport/attempt.ts'

// One attempt for each argument, the variables of one as JSON, or one with the environment of this process. The outcomes are JSON on stdout.
// Managed identity keeps its source and its cache in statics of the process, so each test gets a separate process.
const profile = resolveCloudProfile()
const outcomes: object[] = []
for (const text of process.argv.length > 2 ? process.argv.slice(2) : ['{}']) {
  // As an application does that is configured anew: the library reads the variables of the process.
  Object.assign(process.env, JSON.parse(text))
  let trace: readonly TraceStep[] = []
  const credential = openCredential(createCredentialPlan(profile, process.env), {
    timeoutMs: Number(process.env['ATTEMPT_TIMEOUT_MS'] ?? 120_000),
    processEnv: process.env,
    onEnd: ({ steps }) => (trace = steps),
  })
  const outcome = await credential.getToken(scopeFor(profile.resourceManagerAudience)).then(
    (token) => ({ outcome: 'acquired', token: token?.token }),
    (error: unknown) =>
      isServiceError(error)
        ? { outcome: error.code, message: error.message }
        : { outcome: `foreign error: ${String(error)}` },
  )
  const hosts = [...new Set(trace.map(({ host }) => host))]
  outcomes.push({ ...outcome, hosts, federatedTokenFile: process.env['AZURE_FEDERATED_TOKEN_FILE'] })
}
process.stdout.write(JSON.stringify(outcomes))
