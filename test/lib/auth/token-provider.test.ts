import { afterEach, expect, test, vi } from 'vitest'
import { createTokenProvider } from '../../../src/lib/auth/token-provider.ts'
import { createCredential, createCredentialPlan, scopeFor } from '../../../src/lib/index.ts'
import { createSharedDocuments } from '../../../src/lib/transport/shared-documents.ts'
import { useEnclave } from '../../support/use-enclave.ts'

const running = useEnclave()
afterEach(() => vi.useRealTimers())

const openSockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length

test('a distrusted token leaves no connection behind', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const { cloud } = running
  const attempts: (string | undefined)[] = []
  const provider = createTokenProvider({
    plan: () => createCredentialPlan(cloud.profile, cloud.environment('clientSecret')),
    audience: cloud.resourceManagerAudience,
    timeoutMs: 5000,
    documents: createSharedDocuments(),
    onEnd: ({ code }) => attempts.push(code),
  })
  const round = async () => {
    await provider.current()
    provider.distrust()
    // A distrusted token is reused for 20 s.
    vi.advanceTimersByTime(21_000)
  }
  await round()
  const before = openSockets()
  for (let count = 0; count < 10; count++) await round()
  expect(attempts).toEqual(Array.from({ length: 11 }, () => undefined))
  // At once: an idle connection would be closed in the end anyway.
  expect(openSockets()).toBeLessThanOrEqual(before + 2)
})

test('credentials that are dropped leave no connection behind, and share those of the process', async () => {
  const { cloud } = running
  const round = async () => {
    const credential = await createCredential(createCredentialPlan(cloud.profile, cloud.environment('clientSecret')))
    await credential.getToken(scopeFor(cloud.resourceManagerAudience))
  }
  await round()
  const before = openSockets()
  for (let count = 0; count < 10; count++) await round()
  expect(openSockets()).toBeLessThanOrEqual(before + 2)
})
