import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import type { Enclave } from 'cloud-profile-enclave/enclave'
import { bundledCommand } from '../../support/build.ts'
import { cleanEnvironment } from '../../support/environment.ts'
import { useEnclave, type EnclaveUnderTest } from '../../support/use-enclave.ts'

interface Outcome {
  readonly outcome: string
  readonly token?: string
  readonly message?: string
  readonly hosts: readonly string[]
  readonly federatedTokenFile?: string
}

type Variables = Record<string, string>

const script = bundledCommand('acquire-token')

/** One process, with an attempt for each set of variables. */
async function acquireIn({ files }: EnclaveUnderTest, ...sets: readonly Variables[]): Promise<Outcome[]> {
  const env = cleanEnvironment({ AUTH_MODE: 'managedIdentity', CUSTOM_CLOUD_PROFILE_PATH: files.profilePath })
  const args = [script, ...sets.map((variables) => JSON.stringify(variables))]
  return JSON.parse((await promisify(execFile)(process.execPath, args, { env })).stdout) as Outcome[]
}

const appService = ({ managedIdentity: { appService: found } }: Enclave): Variables => ({
  IDENTITY_ENDPOINT: found.endpoint,
  IDENTITY_HEADER: found.header,
})
const metadata = ({ managedIdentity }: Enclave): Variables => ({
  AZURE_POD_IDENTITY_AUTHORITY_HOST: managedIdentity.instanceMetadataHost,
})

const endpoints = [
  ['App Service', appService],
  ['instance metadata', metadata],
] as const
const one = useEnclave()
const other = useEnclave()

test.each(endpoints)('managed identity over %s does not become a workload identity', async (_, environment) => {
  const federatedTokenFile = one.files.federatedTokenPath
  const injected = { AZURE_FEDERATED_TOKEN_FILE: federatedTokenFile, AZURE_CLIENT_ID: 'c', AZURE_TENANT_ID: 't' }
  const [found] = await acquireIn(one, { ...environment(one.cloud), ...injected })
  // The library asks for the resource without its final slash.
  expect(`${String(decodeJwt(found?.token ?? '').aud)}/`).toBe(one.cloud.resourceManagerAudience)
  const { host } = new URL(one.cloud.managedIdentity.instanceMetadataHost)
  expect(found).toMatchObject({ outcome: 'acquired', hosts: [host], federatedTokenFile })
})

describe('several managed identities in one process', () => {
  const hostOf = ({ managedIdentity }: Enclave) => new URL(managedIdentity.instanceMetadataHost).origin

  test.each(endpoints)('another one, by %s elsewhere, is refused by name and asks nobody', async (_, second) => {
    const [enclave, foreign] = [one.cloud, other.cloud]
    const sets = [appService(enclave), { IDENTITY_ENDPOINT: '', ...second(foreign) }]
    const outcomes = await acquireIn(one, ...sets)
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['acquired', 'MANAGED_IDENTITY_ENDPOINT_FIXED'])
    for (const host of [hostOf(enclave), hostOf(foreign)]) expect(outcomes[1]?.message).toContain(host)
    expect(enclave.requests).toHaveLength(1)
    expect(foreign.requests).toEqual([])
  })

  test('two identities of one endpoint work side by side, each with its own tokens', async () => {
    const { cloud: enclave } = one
    const same = appService(enclave)
    const assigned = { ...same, PLATFORM_CLIENT_ID: enclave.managedIdentity.clientId }
    const unknown = { ...same, PLATFORM_CLIENT_ID: '00000000-0000-0000-0000-000000000000' }
    const outcomes = await acquireIn(one, same, assigned, unknown)
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['acquired', 'acquired', 'MANAGED_IDENTITY_REJECTED'])
  })
})
