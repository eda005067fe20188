import { afterEach, describe, expect, test, vi } from 'vitest'
import { type EnclaveAuthMode, type Fault, type FaultTarget } from 'cloud-profile-enclave/enclave'
import type { DiagnosticsReport } from '../../../src/lib/diagnostics/report.ts'
import { createService } from '../../../src/lib/service/service.ts'
import { useEnclave } from '../../support/use-enclave.ts'

const running = useEnclave()
const silent = () => {}

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

/** A service, and a separate clock for what is reused. */
async function openService(mode: EnclaveAuthMode, variables: NodeJS.ProcessEnv = {}) {
  const { cloud, files } = running
  const monotonic = performance.now.bind(performance)
  let later = 0
  vi.spyOn(performance, 'now').mockImplementation(() => monotonic() + later)
  const diagnostics = await createService({ ...cloud.environment(mode, files), ...variables }).diagnostics(silent)
  return { report: () => diagnostics.report(), advance: (ms: number) => (later += ms) }
}

const codesOf = ({ checks }: DiagnosticsReport) => checks.flatMap(({ code }) => code ?? [])
const tokensAsked = () =>
  running.cloud.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/token')).length

describe('A token that was found wrong is asked for again, though it is valid for an hour', () => {
  test.each<[Fault, string]>([
    [{ kind: 'opaque-token' }, 'TOKEN_OPAQUE'],
    [{ kind: 'wrong-audience' }, 'TOKEN_AUDIENCE_MISMATCH'],
    [{ kind: 'replaced-claims', claims: { iss: 'https://elsewhere.test/' } }, 'TOKEN_ISSUER_MISMATCH'],
    [{ kind: 'replaced-claims', claims: { nbf: 4_000_000_000 } }, 'TOKEN_NOT_YET_VALID'],
  ])('%o', async (fault, code) => {
    const { report, advance } = await openService('clientSecret')
    await running.cloud.setFault(fault, 'login/token')
    expect(codesOf(await report())).toContain(code)
    await running.cloud.setFault(undefined)
    advance(19_000)
    expect(codesOf(await report())).toContain(code)
    expect(tokensAsked()).toBe(1)
    advance(2000)
    expect(await report()).toMatchObject({ status: 'ok', token: { status: 'acquired', cached: false } })
    // A token of an hour is renewed after 27 minutes at the earliest.
    advance(1_200_000)
    expect((await report()).token).toMatchObject({ status: 'acquired', cached: true })
    expect(tokensAsked()).toBe(2)
  })

  test('one that the resource manager refuses', async () => {
    const { report, advance } = await openService('clientSecret')
    await running.cloud.setFault({ kind: 'rejects-token' }, 'resource-manager')
    expect(codesOf(await report())).toContain('RESOURCE_MANAGER_REJECTED_TOKEN')
    await running.cloud.setFault(undefined)
    advance(21_000)
    expect((await report()).status).toBe('ok')
    expect(tokensAsked()).toBe(2)
  })

  test('one of a service, that service sees none but its own', async () => {
    const { report, advance } = await openService('clientSecret', { PLATFORM_STORAGE_ACCOUNT: 'account' })
    await running.cloud.setFault({ kind: 'wrong-audience' }, 'login/token')
    const storage = ({ checks }: DiagnosticsReport) => checks.find(({ id }) => id === 'storage.accepts-token')
    expect(storage(await report())).toMatchObject({ status: 'skip', code: 'TOKEN_AUDIENCE_MISMATCH' })
    await running.cloud.setFault(undefined)
    advance(61_000)
    await report()
    expect(storage(await report())?.code).toMatch(/^SERVICE_/)
  })

  test('of a managed identity, whose tokens the library keeps for the process', async () => {
    // The library reads the endpoint of the process it is in.
    const environment = running.cloud.environment('managedIdentity', running.files)
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
    const { report, advance } = await openService('managedIdentity')
    await running.cloud.setFault({ kind: 'wrong-audience' }, 'managed-identity')
    expect(codesOf(await report())).toContain('TOKEN_AUDIENCE_MISMATCH')
    await running.cloud.setFault(undefined)
    advance(21_000)
    expect((await report()).status).toBe('ok')
  })
})

test('a resource manager that is down costs no new token', async () => {
  const { report, advance } = await openService('clientSecret')
  await running.cloud.setFault({ kind: 'status-503' }, 'resource-manager')
  for (let look = 0; look < 3; look++) {
    expect((await report()).token.status).toBe('acquired')
    advance(21_000)
  }
  expect(tokensAsked()).toBe(1)
})

test('no person is asked to sign in again for a token that was found wrong', async () => {
  const { report, advance } = await openService('deviceCode')
  await running.cloud.setFault({ kind: 'wrong-audience' }, 'login/token')
  const pending = await report()
  running.cloud.approveDeviceCode(pending.token.signIn?.userCode ?? '')
  await expect.poll(async () => codesOf(await report())).toContain('TOKEN_AUDIENCE_MISMATCH')
  advance(60_000)
  expect((await report()).token.status).toBe('acquired')
})

test.each<[Fault, FaultTarget, string]>([
  [{ kind: 'refused' }, 'login', 'AUTHORITY_REFUSED'],
  [{ kind: 'html' }, 'resource-manager', 'RESOURCE_MANAGER_RESPONSE_INVALID'],
])('An outage of what worked before: %j at %s does not blame the profile', async (fault, target, code) => {
  const { report, advance } = await openService('clientSecret')
  await running.cloud.setFault(fault, target)
  const first = await report()
  expect(first.rootCause?.code).toBe(code)
  await running.cloud.setFault(undefined)
  advance(61_000)
  expect((await report()).status).toBe('ok')
  await running.cloud.setFault(fault, target)
  advance(61_000)
  const { rootCause } = await report()
  expect(rootCause?.code).toBe(code)
  expect(rootCause?.change).toBeUndefined()
  expect(rootCause?.fix).toContain('The profile is correct (')
})
