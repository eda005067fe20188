import { createDefaultHttpClient } from '@azure/core-rest-pipeline'
import { ClientSecretCredential, type TokenCredential } from '@azure/identity'
import { createCredentialPlan } from '../../src/lib/auth/create-credential-plan.ts'
import { createCredential } from '../../src/lib/auth/credential.ts'
import { scopeFor } from '../../src/lib/profile/scope.ts'
import { resolveCloudProfile } from '../../src/lib/resolve-cloud-profile.ts'
import { answerParent } from './answer-parent.ts'

/** Whose credential gets a token. */
export type TokenJob = { readonly credential: 'ours' | 'bare' }

/** What one first token took. */
export interface FirstToken {
  /** Milliseconds from before the credential is made until it has its token. */
  readonly duration: number
  /** Milliseconds of processor time in the same span. */
  readonly cpuTime: number
}

const profile = resolveCloudProfile()
const scope = scopeFor(profile.resourceManagerAudience)
const { PLATFORM_TENANT_ID = '', PLATFORM_CLIENT_ID = '', PLATFORM_CLIENT_SECRET = '' } = process.env

const credentials: Readonly<Record<TokenJob['credential'], () => TokenCredential>> = {
  ours: () => createCredential(createCredentialPlan(profile, process.env)),
  // With a client of its own, as ours has: the library would share one, and only its first credential would connect.
  bare: () =>
    new ClientSecretCredential(PLATFORM_TENANT_ID, PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET, {
      authorityHost: profile.authorityHost,
      disableInstanceDiscovery: true,
      httpClient: createDefaultHttpClient(),
    }),
}

// Makes a fresh credential for each message and gets its first token: login document and token, over a new connection.
answerParent(async (message): Promise<FirstToken> => {
  const { credential } = message as TokenJob
  const cpuBefore = process.cpuUsage()
  const started = performance.now()
  const token = await credentials[credential]().getToken(scope)
  const duration = performance.now() - started
  const { user, system } = process.cpuUsage(cpuBefore)
  if (token === null || token.token === '') throw new Error('There is no token')
  return { duration, cpuTime: (user + system) / 1000 }
})
