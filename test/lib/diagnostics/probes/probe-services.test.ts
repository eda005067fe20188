import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Enclave } from '../../../../src/enclave/enclave.ts'
import { probeChallenge, type ChallengeTarget } from '../../../../src/lib/diagnostics/probes/probe-challenge.ts'
import { probeServices, serviceTargets } from '../../../../src/lib/diagnostics/probes/probe-services.ts'
import { withValueAt } from '../../../../src/lib/profile/field-path.ts'
import { checkOf, contextOf, startTrustedEnclave, troublesOf } from './enclave-context.ts'

let enclave: Enclave

beforeAll(async () => {
  enclave = await startTrustedEnclave()
})
afterEach(() => enclave.setFault(undefined))
afterAll(() => enclave.close())

/** The enclave's accounts have no names of their own, so each target is asked at its loopback address. */
function targets(profile = enclave.profile): readonly ChallengeTarget[] {
  const endpoints = { 'key-vault': enclave.vaultEndpoint, storage: enclave.storageEndpoint }
  return serviceTargets(contextOf(profile, { keyVault: 'vault', storageAccount: 'data' })).map((target) => ({
    ...target,
    url: new URL(target.url.pathname + target.url.search, endpoints[target.group as keyof typeof endpoints]),
  }))
}

async function troubles(profile = enclave.profile): Promise<string[]> {
  const checks = await Promise.all(targets(profile).map((target) => probeChallenge(target, contextOf(profile))))
  return troublesOf(checks.flat())
}

describe('key vault and storage', () => {
  test('expect what the profile has', async () => {
    expect(await troubles()).toEqual([])
  })

  test('are addressed by the suffixes of the profile', () => {
    const named = serviceTargets(contextOf(enclave.profile, { keyVault: 'myvault', storageAccount: 'mydata' }))
    const { keyVault, storage } = enclave.profile.serviceDnsSuffixes
    expect(named.map(({ url }) => url.href)).toEqual([
      `https://myvault${keyVault}/secrets?api-version=7.4`,
      `https://mydata${storage}/?comp=list`,
    ])
  })

  test('are not asked when none is configured', async () => {
    expect(await probeServices(contextOf(enclave.profile))).toEqual([])
  })

  test.each([
    ['serviceAudiences.keyVault', 'key-vault'],
    ['serviceAudiences.storage', 'storage'],
  ] as const)('find a public-cloud %s left in place', async (path, group) => {
    const profile = withValueAt(enclave.profile, path, 'https://public.azure.test/')
    expect(await troubles(profile)).toEqual([`${group}.challenge CHALLENGE_AUDIENCE_MISMATCH`])
  })

  test.each([
    ['vault', 'key-vault'],
    ['storage', 'storage'],
  ] as const)('find that %s belongs to another authority', async (role, group) => {
    await enclave.setFault({ kind: 'foreign-challenge' }, role)
    expect(await troubles()).toEqual([`${group}.challenge CHALLENGE_AUTHORITY_MISMATCH`])
    expect(enclave.foreign.received).toEqual([])
  })

  test('are compared with nothing when they name nothing', async () => {
    await enclave.setFault({ kind: 'missing-challenge' }, 'storage')
    expect(await troubles()).toEqual(['storage.challenge CHALLENGE_MISSING'])
  })

  test('with a wrong DNS suffix fail at DNS', async () => {
    const profile = withValueAt(enclave.profile, 'serviceDnsSuffixes.storage', `.${'a'.repeat(64)}.test`)
    const checks = await probeServices(contextOf(profile, { storageAccount: 'data' }))
    expect(troublesOf(checks)).toEqual(['storage.dns SERVICE_DNS_FAILED'])
    expect(checkOf(checks, 'storage.dns').fix).toContain('PLATFORM_STORAGE_DNS_SUFFIX')
  })
})
