import { describe, expect, test } from 'vitest'
import type { Fault } from '../../../../src/enclave/enclave.ts'
import { checkAcceptance, type AcceptanceTarget } from '../../../../src/lib/diagnostics/acceptance/acceptance.ts'
import { createServiceAcceptance } from '../../../../src/lib/diagnostics/acceptance/service-acceptance.ts'
import { serviceAcceptance } from '../../../../src/lib/diagnostics/acceptance/services.ts'
import { ServiceError } from '../../../../src/lib/errors.ts'
import { useEnclave } from '../../../support/use-enclave.ts'

const running = useEnclave()

/** The enclave's accounts have no names of their own, so each target is asked at its loopback address. */
function targets(): readonly AcceptanceTarget[] {
  const { profile, vaultEndpoint, storageEndpoint } = running.cloud
  const endpoints: Readonly<Record<string, string>> = { 'key-vault': vaultEndpoint, storage: storageEndpoint }
  return serviceAcceptance(profile, { keyVault: 'vault', storageAccount: 'data' }).map((target) => ({
    ...target,
    url: new URL(target.url.pathname + target.url.search, endpoints[target.group]),
  }))
}

const tokenFor = async (audience: string) => {
  const answer = await running.postToken({ grant_type: 'client_credentials', scope: `${audience}.default` })
  return { token: (answer.json() as { access_token: string }).access_token, expiresOnTimestamp: Date.now() + 3_600_000 }
}

const look = async () => {
  const checks = await createServiceAcceptance(targets(), tokenFor, 5000)()
  return checks.map(({ id, status, code }) => [id, status, code])
}

describe('The look at key vault and storage with a token', () => {
  test('passes where the identity has its roles, with a token of each service', async () => {
    expect(await look()).toEqual([
      ['key-vault.accepts-token', 'pass', undefined],
      ['storage.accepts-token', 'pass', undefined],
    ])
  })

  test('asks for one name in each, reads no data and changes nothing', async () => {
    await look()
    const { vaultEndpoint, storageEndpoint } = running.cloud
    const ports = [vaultEndpoint, storageEndpoint].map((url) => new URL(url).port)
    const asked = running.cloud.requests.filter(({ role }) => role === 'vault' || role === 'storage')
    expect(ports).toHaveLength(2)
    expect(asked.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(['GET /', 'GET /secrets'])
    expect(targets().every(({ url }) => url.searchParams.get('maxresults') === '1')).toBe(true)
  })

  test.each<[Fault, string, string | undefined]>([
    [{ kind: 'forbidden' }, 'SERVICE_FORBIDDEN', 'data role'],
    [{ kind: 'firewall' }, 'SERVICE_FIREWALL', 'A role does not help'],
    [{ kind: 'rejects-token' }, 'SERVICE_REJECTED_TOKEN', 'AUDIENCE'],
    [{ kind: 'refused' }, 'SERVICE_REFUSED', 'PLATFORM_STORAGE_ACCOUNT'],
    [{ kind: 'untrusted-ca' }, 'SERVICE_UNTRUSTED', 'NODE_EXTRA_CA_CERTS'],
    [{ kind: 'status-503' }, 'SERVICE_HTTP_ERROR', undefined],
    [{ kind: 'status-429' }, 'SERVICE_THROTTLED', 'Wait 3600 s'],
    [{ kind: 'not-found' }, 'SERVICE_NOT_FOUND', undefined],
    [{ kind: 'silent' }, 'SERVICE_TIMEOUT', undefined],
  ])('tells %j as %s', async (fault, code, fix = '') => {
    await running.cloud.setFault(fault, 'vault')
    await running.cloud.setFault(fault, 'storage')
    const checks = await createServiceAcceptance(targets(), tokenFor, 1500)()
    expect(checks.map((check) => [check.status, check.code])).toEqual([
      ['fail', code],
      ['fail', code],
    ])
    for (const check of checks) expect(check.fix).toContain(fix)
  })

  test('a wrong audience is told by the service itself', async () => {
    const [vault, storage] = targets()
    const wrong = await tokenFor(storage?.audience ?? '')
    const asked = { ...vault, audience: storage?.audience } as AcceptanceTarget
    expect(await checkAcceptance(asked, wrong.token, 5000)).toMatchObject({ code: 'SERVICE_REJECTED_TOKEN' })
  })

  test('a token that cannot be had is the failure of its service alone', async () => {
    const checks = await createServiceAcceptance(
      targets(),
      async (audience) => {
        if (audience.includes('vault')) throw new ServiceError('RESOURCE_UNKNOWN', 'There is no such resource')
        return tokenFor(audience)
      },
      5000,
    )()
    expect(checks.map(({ status, code }) => [status, code])).toEqual([
      ['fail', 'RESOURCE_UNKNOWN'],
      ['pass', undefined],
    ])
  })
})

describe('A token is shown to nobody', () => {
  const unsigned = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`

  test.each<[string, () => string]>([
    ['that is opaque', () => 'opaque'],
    ['without an audience', () => unsigned({ tid: 'x' })],
    ['whose audience is no text', () => unsigned({ aud: 7 })],
    ['that is for somebody else', () => unsigned({ aud: 'https://vault.test/' })],
    ['that is for somebody else and has an odd end', () => unsigned({ aud: 'https://vault.test/', exp: '9999999999' })],
    ['that is for several', () => unsigned({ aud: [running.cloud.audiences.storage, 'https://vault.test/'] })],
  ])('%s', async (_what, token) => {
    const storage = targets().find(({ group }) => group === 'storage')
    if (storage === undefined) throw new Error('No storage')
    expect(await checkAcceptance(storage, token(), 5000)).toMatchObject({ status: 'skip' })
    expect(running.cloud.requests.filter(({ role }) => role === 'storage')).toEqual([])
  })

  test('over plain http to another machine', async () => {
    const [target] = targets()
    const asked = { ...target, url: new URL('http://vault.test/') } as AcceptanceTarget
    const { token } = await tokenFor(asked.audience)
    expect(await checkAcceptance(asked, token, 5000)).toMatchObject({ status: 'skip' })
  })
})
