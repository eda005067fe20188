import { describe, expect, test } from 'vitest'
import { probeChallenge, type ChallengeTarget } from '../../../../src/lib/diagnostics/probes/probe-challenge.ts'
import { probeServices, serviceTargets } from '../../../../src/lib/diagnostics/probes/probe-services.ts'
import { withValueAt } from '../../../../src/lib/profile/field-path.ts'
import { useEnclave } from '../../../support/use-enclave.ts'
import { checkOf, contextOf, troublesOf } from './enclave-context.ts'

const running = useEnclave()

/** The enclave's accounts have no names of their own, so each target is asked at its loopback address. */
function targets(profile = running.cloud.profile): readonly ChallengeTarget[] {
  const endpoints = { 'key-vault': running.cloud.vaultEndpoint, storage: running.cloud.storageEndpoint }
  return serviceTargets(contextOf(profile, { keyVault: 'vault', storageAccount: 'data' })).map((target) => ({
    ...target,
    url: new URL(target.url.pathname + target.url.search, endpoints[target.group as keyof typeof endpoints]),
  }))
}

async function troubles(profile = running.cloud.profile): Promise<string[]> {
  const checks = await Promise.all(targets(profile).map((target) => probeChallenge(target, contextOf(profile))))
  return troublesOf(checks.flat())
}

describe('key vault and storage', () => {
  test('expect what the profile has', async () => {
    expect(await troubles()).toEqual([])
  })

  test('are addressed by the suffixes of the profile', () => {
    const named = serviceTargets(contextOf(running.cloud.profile, { keyVault: 'myvault', storageAccount: 'mydata' }))
    const { keyVault, storage } = running.cloud.profile.serviceDnsSuffixes
    expect(named.map(({ url }) => url.href)).toEqual([
      `https://myvault${keyVault}/secrets?api-version=7.4`,
      `https://mydata${storage}/?comp=list`,
    ])
  })

  test('are not asked when none is configured', async () => {
    expect(await probeServices(contextOf(running.cloud.profile))).toEqual([])
  })

  test.each([
    ['serviceAudiences.keyVault', 'key-vault'],
    ['serviceAudiences.storage', 'storage'],
  ] as const)('find a public-cloud %s left in place', async (path, group) => {
    const profile = withValueAt(running.cloud.profile, path, 'https://public.azure.test/')
    expect(await troubles(profile)).toEqual([`${group}.challenge CHALLENGE_AUDIENCE_MISMATCH`])
  })

  test.each([
    ['vault', 'key-vault'],
    ['storage', 'storage'],
  ] as const)('find that %s belongs to another authority', async (role, group) => {
    await running.cloud.setFault({ kind: 'foreign-challenge' }, role)
    expect(await troubles()).toEqual([`${group}.challenge CHALLENGE_AUTHORITY_MISMATCH`])
    expect(running.cloud.foreign.received).toEqual([])
  })

  test('are compared with nothing when they name nothing', async () => {
    await running.cloud.setFault({ kind: 'missing-challenge' }, 'storage')
    expect(await troubles()).toEqual(['storage.challenge CHALLENGE_MISSING'])
  })

  test('with a wrong DNS suffix fail at DNS', async () => {
    const profile = withValueAt(running.cloud.profile, 'serviceDnsSuffixes.storage', `.${'a'.repeat(64)}.test`)
    const checks = await probeServices(contextOf(profile, { storageAccount: 'data' }))
    expect(troublesOf(checks)).toEqual(['storage.dns SERVICE_DNS_FAILED'])
    expect(checkOf(checks, 'storage.dns').fix).toContain('PLATFORM_STORAGE_DNS_SUFFIX')
  })
})
