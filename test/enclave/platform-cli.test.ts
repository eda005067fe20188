import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { AzureCliCredential } from '@azure/identity'
import { decodeJwt } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type EnclaveFiles, type Settings, writeEnclaveFiles } from '../../src/enclave/enclave.ts'
import { platformCliCommands } from '../support/platform-cli-commands.ts'
import { useEnclave } from '../support/use-enclave.ts'

const timeout = 120_000
const directory = mkdtempSync(join(tmpdir(), 'enclave-az-'))
const minimal = { PATH: process.env['PATH'] ?? '', HOME: directory, AZURE_CONFIG_DIR: directory }

/** Major and minor of the installed tool as one number, 2.45 as 2045; 0 when there is none. */
function installedVersion(): number {
  try {
    const stdout = execFileSync('az', ['version', '--output', 'json'], {
      env: minimal,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const answer = JSON.parse(stdout.toString()) as Record<string, string>
    const [major = 0, minor = 0] = (answer['azure-cli'] ?? '').split('.').map(Number)
    return major * 1000 + minor
  } catch {
    return 0
  }
}

const version = installedVersion()
const skipped = (needed: string): string => (version === 0 ? ' [skipped: az is not installed]' : needed)

interface TokenAnswer {
  readonly accessToken: string
  readonly subscription: string
}

describe.skipIf(version === 0)(`the real az and an enclave with a federation service${skipped('')}`, () => {
  const enclave = useEnclave({ federationService: true })
  let files: EnclaveFiles
  let env: Settings
  const az = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)('az', args, { env: { ...minimal, ...env } })
    return stdout === '' ? undefined : (JSON.parse(stdout) as unknown)
  }
  const logIn = async (...credential: string[]) => {
    const { clientId, directoryId } = enclave.cloud
    return az('login', '--service-principal', '--username', clientId, ...credential, '--tenant', directoryId)
  }

  beforeAll(async () => {
    files = await writeEnclaveFiles(enclave.cloud, join(directory, 'federation'))
    env = enclave.cloud.environment('platformCli', files)
  })
  afterEach(() => vi.unstubAllEnvs())

  test(
    'reads the rest of the cloud from its metadata when only the resource manager is given',
    { timeout },
    async () => {
      const { authorityHost, resourceManagerEndpoint, resourceManagerAudience } = enclave.cloud
      const address = resourceManagerEndpoint.replace(/\/$/, '')
      await az('cloud', 'register', '--name', 'by-metadata', '--endpoint-resource-manager', address)
      expect(await az('cloud', 'show', '--name', 'by-metadata')).toMatchObject({
        endpoints: {
          activeDirectory: authorityHost.replace(/\/$/, ''),
          activeDirectoryResourceId: resourceManagerAudience.replace(/\/$/, ''),
        },
      })
    },
  )

  test('the printed commands register the enclave, log in and get a token', { timeout }, async () => {
    const { cloud } = enclave
    const outputs = []
    for (const [, ...args] of platformCliCommands(cloud)) outputs.push(await az(...args))
    const { accessToken, subscription } = outputs.at(-1) as TokenAnswer
    expect(decodeJwt(accessToken)).toMatchObject({ aud: cloud.resourceManagerAudience, appid: cloud.clientId })
    expect(subscription).toBe(cloud.subscriptionId)
    // The credential library finds the same login through the tool.
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
    const token = await new AzureCliCredential().getToken(`${cloud.resourceManagerAudience}.default`)
    expect(decodeJwt(token.token)['appid']).toBe(cloud.clientId)
  })

  test('a certificate and a federated token log in too', { timeout }, async () => {
    const subscription = [{ id: enclave.cloud.subscriptionId, state: 'Enabled' }]
    expect(await logIn(`--password=${files.clientCertificatePath}`)).toMatchObject(subscription)
    expect(await logIn('--federated-token', await enclave.cloud.issueFederatedToken())).toMatchObject(subscription)
  })

  test('a wrong secret is refused', { timeout }, async () => {
    await expect(logIn('--password=wrong')).rejects.toThrow('MSIS9622')
  })
})

describe.skipIf(version < 2054)(
  `the real az and an enclave with tenants${skipped(' [skipped before az 2.54: instance discovery cannot be turned off]')}`,
  () => {
    const enclave = useEnclave()

    test('the printed commands register the enclave, log in and get a token', { timeout }, async () => {
      const { cloud } = enclave
      const files = await writeEnclaveFiles(cloud, join(directory, 'tenanted'))
      const env = { ...minimal, ...cloud.environment('platformCli', files) }
      let stdout = ''
      for (const [tool = '', ...args] of platformCliCommands(cloud)) {
        ;({ stdout } = await promisify(execFile)(tool, args, { env }))
      }
      const { accessToken } = JSON.parse(stdout) as TokenAnswer
      expect(decodeJwt(accessToken)).toMatchObject({ aud: cloud.resourceManagerAudience, tid: cloud.tenantId })
    })
  },
)

afterAll(() => rmSync(directory, { recursive: true }))
