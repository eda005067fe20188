import { once } from 'node:events'
import { openCredential } from '../../../../src/lib/auth/credential.ts'
import { createCredentialPlan } from '../../../../src/lib/auth/create-credential.ts'
import { resolveCloudProfile } from '../../../../src/lib/cloud.ts'
import { scopeFor } from '../../../../src/lib/profile/endpoints.ts'

// `abandon` gives up one request; `renew` uses a token whose renewal hangs. Then its work is done: nothing is left that it waits for.
const profile = resolveCloudProfile()
const credential = openCredential(createCredentialPlan(profile), { timeoutMs: 20_000, onPrompt: () => {} })
const scope = scopeFor(profile.resourceManagerAudience)
const tell = async (text: string) => new Promise((resolve) => process.send?.(text, resolve))

if (process.argv[2] === 'abandon') {
  const controller = new AbortController()
  const waiting = credential.getToken(scope, { abortSignal: controller.signal }).catch(() => {})
  await tell('waits')
  await once(process, 'message')
  controller.abort()
  await waiting
} else {
  const { expiresOnTimestamp } = await credential.getToken(scope)
  await tell('acquired')
  await once(process, 'message')
  // A short-lived token is renewed after half of its life.
  await new Promise((resolve) => setTimeout(resolve, (expiresOnTimestamp - Date.now()) * 0.75))
  await credential.getToken(scope)
  await tell('renews')
  await once(process, 'message')
}
process.disconnect()
