import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import type { LookupAddress } from 'node:dns'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { X509Certificate } from 'node:crypto'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type EnclaveFiles,
  createCertificateAuthority,
  startEnclave,
  writeEnclaveFiles,
} from '../../src/enclave/enclave.ts'
import { formatEnvironment } from '../../src/cli/commands/enclave.ts'
import { enclaveAuthModes } from '../../src/enclave/environment.ts'
import { refusalOfIPv6 } from '../support/ipv6.ts'
import { sendRequest } from '../support/send-request.ts'
import { useEnclave } from '../support/use-enclave.ts'

describe('a certificate authority', () => {
  test('loaded from its PEMs is trusted under the same root', async () => {
    const first = await createCertificateAuthority()
    const { certificatePem, privateKeyPem } = first
    const second = await createCertificateAuthority({ from: { certificatePem, privateKeyPem } })
    const cloud = await startEnclave({ ca: second })
    const answer = await sendRequest(`${cloud.metadataEndpoint}?api-version=1.0`, { ca: certificatePem })
    await cloud.close()
    expect(answer.status).toBe(200)
  })

  test('issues a certificate with names, purpose and key identifiers', async () => {
    const ca = await createCertificateAuthority()
    const { chainPem } = await ca.issue({ commonName: 'x', usage: 'server', names: ['localhost', '127.0.0.1', '::1'] })
    const [leaf, intermediate] = chainPem.split(/(?=-----BEGIN)/).map((pem) => new X509Certificate(pem))
    expect(leaf?.checkHost('localhost')).toBe('localhost')
    expect(leaf?.checkIP('127.0.0.1')).toBe('127.0.0.1')
    expect(leaf?.checkIP('::1')).toBe('::1')
    expect(leaf?.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
    expect(leaf?.ca).toBe(false)
    expect(intermediate && leaf?.checkIssued(intermediate)).toBe(true)
    expect(intermediate?.verify(new X509Certificate(ca.certificatePem).publicKey)).toBe(true)
  })

  test('refuses an invalid key', async () => {
    const { certificatePem } = await createCertificateAuthority()
    await expect(createCertificateAuthority({ from: { certificatePem, privateKeyPem: 'none' } })).rejects.toThrow(
      'The private key of the certificate authority is not a PEM.',
    )
  })
})

describe('an enclave', () => {
  const enclave = useEnclave()

  test('takes less than 300 ms of a processor to start when it is given its authority', async () => {
    // Time of this process, not of the clock: a busy machine must not fail it.
    const before = process.cpuUsage()
    const cloud = await startEnclave({ ca: enclave.cloud.ca })
    const { user, system } = process.cpuUsage(before)
    await cloud.close()
    expect((user + system) / 1000).toBeLessThan(300)
  })

  test('answers localhost on a machine that resolves it to ::1 first', async () => {
    const addresses: LookupAddress[] = [
      { address: '::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ]
    const answer = await enclave.send(`${enclave.cloud.metadataEndpoint}?api-version=1.0`, {
      lookup: (_, __, callback) => callback(null, addresses),
    })
    expect(answer.status).toBe(200)
  })

  test.skipIf(refusalOfIPv6 !== undefined)('is served at an IPv6 literal when it is named so', async () => {
    const cloud = await startEnclave({ ca: enclave.cloud.ca, hostName: '[::1]' })
    const answer = await enclave.send(`${cloud.metadataEndpoint}?api-version=1.0`)
    const document = await enclave.send(`${cloud.authorityHost}${cloud.tenantId}/v2.0/.well-known/openid-configuration`)
    await cloud.close()
    expect(new URL(cloud.authorityHost).hostname).toBe('[::1]')
    expect([answer.status, document.status]).toEqual([200, 200])
  })

  test('opens no port when one is taken', async () => {
    const { port } = new URL(enclave.cloud.authorityHost)
    const taken = startEnclave({ ca: enclave.cloud.ca, ports: { vault: Number(port) } })
    await expect(taken).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  test('refuses connections once closed', async () => {
    const cloud = await startEnclave({ ca: enclave.cloud.ca })
    const { metadataEndpoint, vaultEndpoint, managedIdentity } = cloud
    await cloud.close()
    for (const address of [
      metadataEndpoint,
      vaultEndpoint,
      managedIdentity.instanceMetadataHost,
      cloud.foreign.origin,
    ]) {
      await expect(sendRequest(address)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    }
  })

  test('records each request without its body', async () => {
    await enclave.postToken({ grant_type: 'client_credentials', scope: 'planted-scope' })
    await enclave.send(`${enclave.cloud.metadataEndpoint}?api-version=2015-01-01`)
    expect(enclave.cloud.requests).toMatchObject([
      { role: 'login', method: 'POST', query: '', status: 400 },
      {
        role: 'resource-manager',
        method: 'GET',
        path: '/metadata/endpoints',
        query: 'api-version=2015-01-01',
        status: 200,
      },
    ])
    expect(JSON.stringify(enclave.cloud.requests)).not.toContain('planted')
  })

  test('refuses a request body past 1 MiB', async () => {
    const answer = await enclave.postToken({ grant_type: 'x'.repeat(1024 * 1024) })
    expect(answer.status).toBe(413)
  })
})

describe('settings and files', () => {
  const enclave = useEnclave()
  let directory = ''
  let files: EnclaveFiles
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "enclave's "))
    files = await writeEnclaveFiles(enclave.cloud, directory)
  })
  afterAll(() => rm(directory, { recursive: true }))

  test.each(enclaveAuthModes)('a POSIX shell reads the settings of %s back as they were', async (mode) => {
    const settings = enclave.cloud.environment(mode, files)
    const program = `${formatEnvironment(settings, 'posix')}exec "$0" -p 'JSON.stringify(process.env)'`
    const { stdout } = await promisify(execFile)('sh', ['-c', program, process.execPath], { env: {} })
    expect(JSON.parse(stdout)).toMatchObject(settings)
    expect(settings).toMatchObject({ AUTH_MODE: mode, CUSTOM_CLOUD_PROFILE_PATH: files.profilePath })
  })

  test('settings without files name the whole profile by override variables', () => {
    const { profile } = enclave.cloud
    expect(enclave.cloud.environment('clientSecret')).toMatchObject({
      PLATFORM_CLOUD: 'platformstack-custom',
      PLATFORM_AUTHORITY_HOST: profile.authorityHost,
      PLATFORM_RESOURCE_MANAGER_AUDIENCE: profile.resourceManagerAudience,
      PLATFORM_STORAGE_DNS_SUFFIX: profile.serviceDnsSuffixes.storage,
    })
    expect(() => enclave.cloud.environment('workloadIdentity')).toThrow(/writeEnclaveFiles/)
  })

  test('files that cannot be written are one error with the place and the reason', async () => {
    const below = join(files.profilePath, 'below')
    const failed = writeEnclaveFiles(enclave.cloud, below)
    await expect(failed).rejects.toMatchObject({ name: 'EnclaveFilesError', cause: { code: 'ENOTDIR' } })
    await expect(failed).rejects.toThrow(below)
  })

  test('files with secrets are readable by their owner only, also in place of others', async () => {
    await chmod(files.federatedTokenPath, 0o666)
    await writeEnclaveFiles(enclave.cloud, directory)
    const modes = await Promise.all(
      [files.clientCertificatePath, files.federatedTokenPath].map(async (path) => (await stat(path)).mode & 0o777),
    )
    expect(modes).toEqual([0o600, 0o600])
    expect(JSON.parse(await readFile(files.profilePath, 'utf8'))).toEqual(enclave.cloud.profile)
    expect(await readFile(files.authorityPath, 'utf8')).toBe(enclave.cloud.ca.certificatePem)
  })
})
