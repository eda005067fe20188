import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import type { Enclave, Fault } from '../../../src/enclave/enclave.ts'
import { bundledCommand } from '../../support/build.ts'
import { deadlineFor } from '../../support/deadline-for.ts'
import { cleanEnvironment } from '../../support/environment.ts'
import { useEnclave } from '../../support/use-enclave.ts'

interface Outcome {
  readonly outcome: string
  readonly token?: string
  readonly hosts: readonly string[]
  readonly federatedTokenFile?: string
}

interface Variant {
  readonly name: string
  readonly environment: (enclave: Enclave) => Record<string, string>
}

interface Row {
  readonly fault: Fault
  readonly code: string
}

const script = bundledCommand('acquire-token')

const twoScript = bundledCommand('acquire-from-two')

/** Each row costs a process. The transport of all roles is one, so a few rows show that it is used. */
const faults: readonly Row[] = [
  { fault: { kind: 'refused' }, code: 'IDENTITY_ENDPOINT_REFUSED' },
  { fault: { kind: 'html' }, code: 'IDENTITY_ENDPOINT_RESPONSE_INVALID' },
]

const variants: readonly Variant[] = [
  {
    name: 'App Service',
    environment: ({ managedIdentity: { appService } }) => ({
      IDENTITY_ENDPOINT: appService.endpoint,
      IDENTITY_HEADER: appService.header,
    }),
  },
  {
    name: 'instance metadata',
    environment: ({ managedIdentity }) => ({
      AZURE_POD_IDENTITY_AUTHORITY_HOST: managedIdentity.instanceMetadataHost,
    }),
  },
]

describe.each(variants)('managed identity over $name', ({ environment }) => {
  const running = useEnclave()

  const acquire = async (env: Record<string, string> = {}): Promise<Outcome> => {
    const { cloud: enclave, files } = running
    const { stdout } = await promisify(execFile)(process.execPath, [script], {
      env: cleanEnvironment({
        AUTH_MODE: 'managedIdentity',
        CUSTOM_CLOUD_PROFILE_PATH: files.profilePath,
        ...environment(enclave),
        ...env,
      }),
    })
    return JSON.parse(stdout) as Outcome
  }
  const endpointHost = () => new URL(running.cloud.managedIdentity.instanceMetadataHost).host

  test('gets a token for the audience of the profile and contacts its endpoint only', async () => {
    const found = await acquire()
    expect(found).toMatchObject({ outcome: 'acquired', hosts: [endpointHost()] })
    // The library asks for the resource without its final slash.
    expect(`${String(decodeJwt(found.token ?? '').aud)}/`).toBe(running.cloud.resourceManagerAudience)
  })

  test('does not turn into a workload identity that forgets the authority, and leaves the variable in place', async () => {
    const injected = {
      AZURE_FEDERATED_TOKEN_FILE: running.files.federatedTokenPath,
      AZURE_CLIENT_ID: 'c',
      AZURE_TENANT_ID: 't',
    }
    expect(await acquire(injected)).toMatchObject({
      outcome: 'acquired',
      hosts: [endpointHost()],
      federatedTokenFile: injected.AZURE_FEDERATED_TOKEN_FILE,
    })
  })

  test('does not go through a proxy, which would see its secret header', async () => {
    const proxy = { HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9' }
    expect(await acquire(proxy)).toMatchObject({ outcome: 'acquired', hosts: [endpointHost()] })
  })

  test('an identity that is not known ends in MANAGED_IDENTITY_REJECTED', async () => {
    expect(await acquire({ PLATFORM_CLIENT_ID: '00000000-0000-0000-0000-000000000000' })).toMatchObject({
      outcome: 'MANAGED_IDENTITY_REJECTED',
    })
  })

  test.each(faults)('$fault.kind ends in $code', async ({ fault, code }) => {
    await running.cloud.setFault(fault, 'managed-identity')
    const { outcome } = await acquire({ ATTEMPT_TIMEOUT_MS: String(deadlineFor(code)) })
    expect(outcome).toBe(code)
  })
})

describe('several managed identities in one process', () => {
  const one = useEnclave()
  const other = useEnclave()
  const appService = ({ managedIdentity: { appService: found } }: Enclave) => ({
    IDENTITY_ENDPOINT: found.endpoint,
    IDENTITY_HEADER: found.header,
  })
  const imds = ({ managedIdentity }: Enclave) => ({
    AZURE_POD_IDENTITY_AUTHORITY_HOST: managedIdentity.instanceMetadataHost,
  })
  const hostOf = ({ managedIdentity }: Enclave) => new URL(managedIdentity.instanceMetadataHost).origin

  const acquire = async (...variants: readonly Record<string, string>[]): Promise<string[]> => {
    const env = cleanEnvironment({
      AUTH_MODE: 'managedIdentity',
      CUSTOM_CLOUD_PROFILE_PATH: one.files.profilePath,
    })
    const { stdout } = await promisify(execFile)(process.execPath, [twoScript, JSON.stringify(variants)], { env })
    return JSON.parse(stdout) as string[]
  }

  test.each([
    ['App Service', 'App Service', appService, appService],
    ['App Service', 'instance metadata', appService, imds],
    ['instance metadata', 'App Service', imds, appService],
  ])(
    'after one by %s, another by %s of somewhere else is refused by name and asks nobody',
    async (_, __, first, second) => {
      const [enclave, foreign] = [one.cloud, other.cloud]
      const outcomes = await acquire(first(enclave), { IDENTITY_ENDPOINT: '', ...second(foreign) }, first(enclave))
      expect(outcomes[0]).toBe('acquired')
      expect(outcomes[1]?.split(': ')[0]).toBe('MANAGED_IDENTITY_ENDPOINT_FIXED')
      for (const host of [hostOf(enclave), hostOf(foreign)]) expect(outcomes[1]).toContain(host)
      expect(enclave.requests).toHaveLength(outcomes.filter((outcome) => outcome === 'acquired').length)
      expect(foreign.requests).toEqual([])
    },
  )

  test('those of the same endpoint work side by side, each as who it is', async () => {
    const { cloud: enclave } = one
    const same = appService(enclave)
    const assigned = { ...same, PLATFORM_CLIENT_ID: enclave.managedIdentity.clientId }
    const unknown = { ...same, PLATFORM_CLIENT_ID: '00000000-0000-0000-0000-000000000000' }
    const outcomes = await acquire(same, assigned, unknown)
    expect(outcomes.map((outcome) => outcome.split(':')[0])).toEqual([
      'acquired',
      'acquired',
      'MANAGED_IDENTITY_REJECTED',
    ])
  })
})
