import { once } from 'node:events'
import { createServer } from 'node:http'
import { Agent } from 'node:https'
import { connect } from 'node:tls'
import { BlobServiceClient } from '@azure/storage-blob'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startEnclave } from '../../src/enclave.ts'
import { listen } from '../../../../test/support/free-port.ts'
import { missing } from '../../../../test/support/missing.ts'
import { sendRequest } from '../../../../test/support/send-request.ts'
import { useTemporaryDirectory } from '../../../../test/support/temporary-directory.ts'
import { type EnclaveUnderTest, useEnclave } from '../../../../test/support/use-enclave.ts'

const skipped = missing('azurite', '--version')

/** Requests a service of the account by its host name, as a proxy leads it to the enclave. */
const request = async ({ cloud, token }: EnclaveUnderTest, host: string, method: string, path: string) => {
  const agent = new Agent()
  agent.createConnection = () => connect({ ...cloud.addressOf(host), servername: host, ca: cloud.ca.certificatePem })
  const authorization = `Bearer ${await token(cloud.audiences.storage)}`
  const headers = { authorization, 'x-ms-version': '2021-12-02', accept: 'application/json' }
  return sendRequest(`https://${host}/${path}`, { agent, method, headers })
}

describe.skipIf(skipped !== '')(`storage with azurite${skipped}`, () => {
  const seed = useTemporaryDirectory()
  const enclave = useEnclave({
    azurite: true,
    containers: ['uploads'],
    queues: ['work'],
    get seed() {
      seed.write('containers/site/a folder/ü.txt', 'seeded')
      return seed.path
    },
  })

  test('the seed is there: containers, blobs and queues, beside tables', async () => {
    const token = await enclave.token(enclave.cloud.audiences.storage)
    const credential = { getToken: async () => ({ token, expiresOnTimestamp: Date.now() + 3_600_000 }) }
    const client = new BlobServiceClient(enclave.cloud.storageEndpoint, credential, { retryOptions: { maxTries: 1 } })
    const names: string[] = []
    for await (const { name } of client.listContainers()) names.push(name)
    expect(names).toEqual(['example', 'site', 'uploads'])
    const blob = client.getContainerClient('site').getBlobClient('a folder/ü.txt')
    expect((await blob.downloadToBuffer()).toString()).toBe('seeded')
    const queues = await request(enclave, 'data.queue.core.enclave.test', 'GET', '?comp=list')
    expect(queues.body).toContain('<Name>work</Name>')
    const tables = await request(enclave, 'data.table.core.enclave.test', 'GET', 'Tables')
    expect(tables.json()).toMatchObject({ value: [] })
  })
})

describe('in front of a server that responds to a HEAD request as azurite does', () => {
  const server = createServer(({ method }, response) =>
    response.writeHead(200, method === 'HEAD' ? { 'content-length': 6 } : {}).end(),
  )
  const address = new URL('http://127.0.0.1')
  beforeAll(async () => {
    address.port = String(await listen(server))
  })
  afterAll(() => server.close())
  const enclave = useEnclave({
    get azurite() {
      return address.href
    },
  })

  test('a token is checked, the length of the blob stays, and a missing azurite is named', async () => {
    expect(await enclave.call(enclave.cloud.storageEndpoint, enclave.cloud.audiences.keyVault)).toMatchObject({
      status: 401,
    })
    const head = () => request(enclave, 'data.blob.core.enclave.test', 'HEAD', 'container/blob')
    expect((await head()).headers['content-length']).toBe('6')
    await once(server.close(), 'close')
    expect(await head()).toMatchObject({ status: 502, headers: { 'x-ms-error-code': 'AzuriteUnreachable' } })
    const started = startEnclave({ azurite: address.href })
    await expect(started).rejects.toMatchObject({ name: 'EnclaveError', message: /127\.0\.0\.1:\d+ \(ECONNREFUSED\)/ })
  })
})

describe('without azurite', () => {
  const plain = useEnclave()

  test.each(['queue', 'table'])('a %s is refused by name', async (kind) => {
    const answer = await request(plain, `data.${kind}.core.enclave.test`, 'GET', '?comp=list')
    expect(answer).toMatchObject({ status: 501, body: /(queue|table)s without azurite/ })
  })
})
