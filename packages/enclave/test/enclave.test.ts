import { chmod, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import type { LookupFunction } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { type EnclaveFiles, startEnclave, writeEnclaveFiles } from '../src/enclave.ts'
import { createRequestLog } from '../src/http/request-log.ts'
import { refusalOfIPv6 } from '../../../test/support/ipv6.ts'
import { skipped } from '../../../test/support/missing.ts'
import { sendRequest } from '../../../test/support/send-request.ts'
import { useTemporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { documentOf, tokenEndpoint, useEnclave } from '../../../test/support/use-enclave.ts'

const enclave = useEnclave()

describe('an enclave', () => {
  test('answers localhost on a machine that resolves it to ::1 first', async () => {
    const addresses = [6, 4].map((family) => ({ address: family === 6 ? '::1' : '127.0.0.1', family }))
    const lookup: LookupFunction = (_, __, callback) => callback(null, addresses)
    expect((await enclave.send(`${enclave.cloud.metadataEndpoint}?api-version=1.0`, { lookup })).status).toBe(200)
  })

  test.skipIf(refusalOfIPv6 !== undefined)(`is served at an IPv6 literal${skipped(refusalOfIPv6)}`, async () => {
    const cloud = await startEnclave({ ca: enclave.cloud.ca, hostName: '[::1]' })
    const answer = await enclave.send(`${cloud.metadataEndpoint}?api-version=1.0`)
    const document = await enclave.send(documentOf(cloud))
    await cloud.close()
    expect([new URL(cloud.authorityHost).hostname, answer.status, document.status]).toEqual(['[::1]', 200, 200])
  })

  test('opens no port when one is taken', async () => {
    const { port } = new URL(enclave.cloud.authorityHost)
    const taken = startEnclave({ ca: enclave.cloud.ca, ports: { vault: Number(port) } })
    await expect(taken).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  test('refuses connections once closed', async () => {
    const cloud = await startEnclave({ ca: enclave.cloud.ca })
    const { metadataEndpoint, vaultEndpoint, managedIdentity, foreign } = cloud
    await cloud.close()
    for (const address of [metadataEndpoint, vaultEndpoint, managedIdentity.instanceMetadataHost, foreign.origin])
      await expect(sendRequest(address)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  test('records each request without its body', async () => {
    await enclave.postToken({ grant_type: 'client_credentials', scope: 'planted-scope' })
    await enclave.send(`${enclave.cloud.metadataEndpoint}?api-version=2015-01-01`)
    const path = '/metadata/endpoints'
    expect(enclave.cloud.requests).toMatchObject([
      { role: 'login', method: 'POST', query: '', status: 400 },
      { role: 'resource-manager', method: 'GET', path, query: 'api-version=2015-01-01', status: 200 },
    ])
    expect(JSON.stringify(enclave.cloud.requests)).not.toContain('planted')
  })

  test('only the latest requests stay', () => {
    const log = createRequestLog()
    for (let index = 0; index <= 50_000; index++)
      log.record({ role: 'login', method: 'GET', path: `/${index}`, query: '' })(200)
    expect(log.requests).toHaveLength(50_000)
    expect(log.requests[0]?.path).toBe('/1')
  })

  test('every service gives a request an id, and echoes that of the client; the login authority when asked', async () => {
    const { cloud, send } = enclave
    const id = '6f1d3c1e-0000-4000-8000-00000000abcd'
    const guid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
    const own = { 'client-request-id': id }
    const login = (headers: Record<string, string>) =>
      send(tokenEndpoint(cloud), { form: { grant_type: 'none' }, headers })
    const echoed = await login({ ...own, 'return-client-request-id': 'true' })
    expect(echoed.headers).toMatchObject({ ...own, 'x-ms-request-id': guid })
    expect(echoed.json()).toMatchObject({ correlation_id: id, trace_id: guid })
    expect((await login(own)).headers).not.toHaveProperty('client-request-id')
    const headers = { 'x-ms-client-request-id': id }
    for (const address of [cloud.resourceManagerEndpoint, cloud.storageEndpoint, cloud.vaultEndpoint]) {
      const answer = await send(address, { headers })
      expect(answer.headers).toMatchObject({ ...headers, 'x-ms-request-id': guid })
    }
    const correlation = { 'x-ms-correlation-request-id': id }
    expect((await send(cloud.resourceManagerEndpoint, { headers: correlation })).headers).toMatchObject(correlation)
    const invalid = await send(cloud.storageEndpoint, { headers: { 'x-ms-client-request-id': 'a b<script>' } })
    expect(invalid.headers).not.toHaveProperty('x-ms-client-request-id')
  })

  test('refuses a request body past 1 MiB', async () => {
    const answer = await enclave.postToken({ grant_type: 'x'.repeat(1024 * 1024) })
    expect(answer.status).toBe(413)
  })
})

describe('settings and files', () => {
  const directory = join(useTemporaryDirectory().path, "enclave's files")
  let files: EnclaveFiles
  beforeAll(async () => {
    files = await writeEnclaveFiles(enclave.cloud, directory)
  })

  test('settings without files are those of the credential', () => {
    const settings = enclave.cloud.environment('clientSecret')
    expect(settings).toMatchObject({ PLATFORM_CLIENT_ID: enclave.cloud.clientId, AUTH_MODE: 'clientSecret' })
    expect(settings).not.toHaveProperty('CUSTOM_CLOUD_PROFILE_PATH')
    expect(() => enclave.cloud.environment('workloadIdentity')).toThrow(/writeEnclaveFiles/)
  })

  test('files that cannot be written are one error with the place and the reason', async () => {
    const below = join(files.profilePath, 'below')
    const failed = writeEnclaveFiles(enclave.cloud, below)
    await expect(failed).rejects.toMatchObject({ name: 'EnclaveError', cause: { code: 'ENOTDIR' } })
    await expect(failed).rejects.toThrow(below)
  })

  test('nothing is written after a failure, because the caller may be removing the directory', async () => {
    const folder = join(directory, 'partly')
    await mkdir(join(folder, 'enclave-ca.pem'), { recursive: true })
    await expect(writeEnclaveFiles(enclave.cloud, folder)).rejects.toThrow(/EISDIR/)
    await delay(100)
    expect((await readdir(folder)).toSorted()).toEqual(['enclave-ca.pem', 'platform-cli'])
  })

  test('files with secrets are readable by their owner only, also in place of others', async () => {
    await chmod(files.federatedTokenPath, 0o666)
    await writeEnclaveFiles(enclave.cloud, directory)
    for (const path of [files.clientCertificatePath, files.federatedTokenPath])
      expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(files.profilePath, 'utf8'))).toEqual(enclave.cloud.profile)
    expect(await readFile(files.authorityPath, 'utf8')).toBe(enclave.cloud.ca.certificatePem)
  })
})
