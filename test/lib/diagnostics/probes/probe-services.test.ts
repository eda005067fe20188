import { describe, expect, test } from 'vitest'
import { runProbes } from '../../../../src/lib/diagnostics/probes/probe-endpoint.ts'
import { isProtected } from '../../../../src/lib/diagnostics/endpoint.ts'
import { protectedServices } from '../../../support/protected-services.ts'
import { withValueAt } from '../../../../src/lib/profile/field-path.ts'
import { useEnclave } from '../../../support/use-enclave.ts'
import { checkOf, contextOf, troublesOf } from '../../diagnostics/probes/enclave-context.ts'

const running = useEnclave()

async function troubles(profile = running.cloud.profile): Promise<string[]> {
  const endpoints = protectedServices(running.cloud, profile)
  return troublesOf(await runProbes({ ...contextOf(profile), endpoints }))
}

/** The checks of the services alone. */
const servicesOf = async (context: ReturnType<typeof contextOf>) =>
  runProbes({ ...context, endpoints: context.endpoints.filter(({ role }) => role === 'SERVICE') })

describe('key vault and storage', () => {
  test('are addressed by the suffixes of the profile', () => {
    const { endpoints } = contextOf(running.cloud.profile, { keyVault: 'myvault', storageAccount: 'mydata' })
    const named = endpoints.filter(isProtected).slice(1)
    const { keyVault, storage } = running.cloud.profile.serviceDnsSuffixes
    expect(named.map(({ protectedResource }) => protectedResource.url.href)).toEqual([
      `https://myvault${keyVault}/secrets?api-version=7.0&maxresults=1`,
      `https://mydata${storage}/?comp=list&maxresults=1`,
    ])
  })

  test.each([
    ['serviceAudiences.keyVault', 'key-vault'],
    ['serviceAudiences.storage', 'storage'],
  ] as const)('find a public-cloud %s left in place', async (path, group) => {
    const profile = withValueAt(running.cloud.profile, path, 'https://public.azure.test/')
    expect(await troubles(profile)).toEqual([`${group}.challenge CHALLENGE_AUDIENCE_MISMATCH`])
  })

  test('with a wrong DNS suffix fail at DNS', async () => {
    const profile = withValueAt(running.cloud.profile, 'serviceDnsSuffixes.storage', `.${'a'.repeat(64)}.test`)
    const checks = await servicesOf(contextOf(profile, { storageAccount: 'data' }))
    expect(troublesOf(checks)).toEqual(['storage.dns SERVICE_DNS_FAILED'])
    expect(checkOf(checks, 'storage.dns').fix).toContain('PLATFORM_STORAGE_DNS_SUFFIX')
  })
})
