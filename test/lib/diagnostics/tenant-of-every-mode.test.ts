import { expect, test } from 'vitest'
import type { TokenProvider } from '../../../src/lib/diagnostics/token-provider.ts'
import { createDiagnosticsRun } from '../../../src/lib/diagnostics/run-diagnostics.ts'
import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
import { readSettings } from '../../../src/lib/settings/settings.ts'

const [own, other] = ['11111111-2222-4333-8444-555555555555', '00000000-0000-4000-8000-000000000001']
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A provider that has a token of a tenant, and nothing else to do with the network. */
function providerOf(tid: string, audience: string): TokenProvider {
  const token = `${encode({ alg: 'none' })}.${encode({ tid, aud: audience })}.x`
  const expiresOnTimestamp = Date.now() + 3_600_000
  return {
    current: async () => ({
      status: 'acquired',
      token: { token, expiresOnTimestamp },
      startedAt: Date.now(),
      durationMs: 1,
      cached: false,
    }),
    last: () => undefined,
    limitReuse: () => {},
    audience: () => audience,
    trace: () => [],
    tokenFor: async () => ({ token, expiresOnTimestamp }),
    plan: () => undefined,
  }
}

async function tenantCheck(AUTH_MODE: string, tid: string) {
  // Nothing listens there, so that only the token itself is judged.
  const env = {
    AUTH_MODE,
    PLATFORM_TENANT_ID: own,
    PLATFORM_AUTHORITY_HOST: 'https://127.0.0.1:1/',
    PLATFORM_RESOURCE_MANAGER_ENDPOINT: 'https://127.0.0.1:1/',
  }
  const cloud = explainProfile({ env })
  const settings = readSettings(env)
  const context = { cloud, warnings: [], settings, env, log: () => {}, lastSmokeTest: () => undefined }
  const provider = providerOf(tid, cloud.profile.resourceManagerAudience)
  const run = createDiagnosticsRun({ context, provider })
  const { checks } = await run(provider.current())
  return checks.find(({ id }) => id === 'token.tenant')
}

test.each(['default', 'managedIdentity', 'platformCli', 'clientSecret'])(
  'the tenant of a token is compared with that of the profile under %s',
  async (mode) => {
    expect(await tenantCheck(mode, own)).toMatchObject({ status: 'pass' })
    expect(await tenantCheck(mode, other)).toMatchObject({ status: 'fail', code: 'TOKEN_TENANT_MISMATCH' })
  },
)
