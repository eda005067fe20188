import { once } from 'node:events'
import type { OutgoingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { BlobServiceClient, type BlockBlobClient, type ContainerClient } from '@azure/storage-blob'
import { beforeAll, describe, expect, test } from 'vitest'
import { useEnclave } from '../../../../test/support/use-enclave.ts'

const megabyte = 1024 * 1024

describe('the storage account', () => {
  const enclave = useEnclave()
  let service: BlobServiceClient
  let container: ContainerClient
  let token: string

  beforeAll(async () => {
    token = await enclave.token(enclave.cloud.audiences.storage)
    const credential = { getToken: async () => ({ token, expiresOnTimestamp: Date.now() + 3_600_000 }) }
    service = new BlobServiceClient(enclave.cloud.storageEndpoint, credential, { retryOptions: { maxTries: 1 } })
    container = service.getContainerClient('backup')
    await container.create()
  })
  const blob = (name: string): BlockBlobClient => container.getBlockBlobClient(name)
  const send = (path: string, method: string, headers: Record<string, string> = {}, body?: string) =>
    fetch(`${enclave.cloud.storageEndpoint}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'x-ms-version': '2025-01-05', ...headers },
      ...(body === undefined ? {} : { body }),
    })

  test('creates, lists and deletes containers, and tells what kind of account it is', async () => {
    const other = service.getContainerClient('other')
    await other.create()
    await expect(other.create()).rejects.toMatchObject({ code: 'ContainerAlreadyExists' })
    const names: string[] = []
    for await (const { name } of service.listContainers()) names.push(name)
    expect(names).toEqual(['backup', 'example', 'other'])
    await other.delete()
    expect(await other.exists()).toBe(false)
    await expect(other.getBlockBlobClient('x').upload('x', 1)).rejects.toMatchObject({ code: 'ContainerNotFound' })
    expect(await service.getAccountInfo()).toMatchObject({ accountKind: 'StorageV2', skuName: 'Standard_LRS' })
    const { headers } = await send('backup?restype=account&comp=properties', 'GET')
    expect(headers.get('x-ms-is-hns-enabled')).toBe('false')
  })

  test('stores a blob of any bytes with its properties and metadata', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index))
    const client = blob('a folder/ü & <x>.bin')
    const [metadata, contentType] = [{ mtime: '2026' }, 'text/plain']
    await client.upload(bytes, bytes.length, { metadata, blobHTTPHeaders: { blobContentType: contentType } })
    expect(await client.downloadToBuffer()).toEqual(bytes)
    const properties = { contentLength: 256, contentType, metadata, blobType: 'BlockBlob' }
    expect(await client.getProperties()).toMatchObject(properties)
    await client.setMetadata({ mtime: '2027' })
    expect((await client.getProperties()).metadata).toEqual({ mtime: '2027' })
    await client.delete()
    const { status, headers } = await send('backup/missing', 'HEAD')
    expect([status, headers.get('x-ms-error-code'), headers.get('content-type')]).toEqual([404, 'BlobNotFound', null])
    await expect(client.delete()).rejects.toMatchObject({ code: 'BlobNotFound' })
  })

  test('makes a blob of blocks in the order of the list', async () => {
    const client = blob('blocks')
    const [one, two] = [Buffer.alloc(megabyte, 1), Buffer.alloc(megabyte, 2)]
    const ids = ['AAAA', 'BBBB'] as const
    await client.stageBlock(ids[1], two, two.length)
    await client.stageBlock(ids[0], one, one.length)
    expect(await client.exists()).toBe(false)
    await client.commitBlockList([...ids])
    expect(await client.downloadToBuffer()).toEqual(Buffer.concat([one, two]))
    await expect(client.commitBlockList(['CCCC'])).rejects.toMatchObject({ code: 'InvalidBlockList' })
  })

  test('answers ranges, and refuses one behind the end', async () => {
    const client = blob('range')
    await client.upload('0123456789', 10)
    expect((await client.downloadToBuffer(2, 3)).toString()).toBe('234')
    expect((await client.downloadToBuffer(7)).toString()).toBe('789')
    const part = await send('backup/range', 'GET', { 'x-ms-range': 'bytes=4-99' })
    const got = [part.status, part.headers.get('content-range'), await part.text()]
    expect(got).toEqual([206, 'bytes 4-9/10', '456789'])
    expect((await send('backup/range', 'GET', { range: 'bytes=10-' })).status).toBe(416)
  })

  test('lists by prefix, by folder and in pages', async () => {
    for (const name of ['list/a', 'list/b/1', 'list/b/2', 'list/c']) await blob(name).upload(name, name.length)
    const pages: string[][] = []
    for await (const page of container.listBlobsFlat({ prefix: 'list/' }).byPage({ maxPageSize: 3 })) {
      pages.push(page.segment.blobItems.map(({ name }) => name))
    }
    expect(pages).toEqual([['list/a', 'list/b/1', 'list/b/2'], ['list/c']])
    const later = await send('backup?restype=container&comp=list&prefix=list/&startFrom=list/b/2', 'GET')
    expect([...(await later.text()).matchAll(/<Name>([^<]*)/g)].map(([, name]) => name)).toEqual(['list/b/2', 'list/c'])
    const folders: string[] = []
    for await (const item of container.listBlobsByHierarchy('/', { prefix: 'list/' }))
      folders.push(`${item.kind} ${item.name}`)
    expect(folders.toSorted()).toEqual(['blob list/a', 'blob list/c', 'prefix list/b/'])
  })

  test('keeps what a condition excludes', async () => {
    const client = blob('condition')
    const { etag = '' } = await client.upload('1', 1)
    const upload = (text: string, conditions: object) => client.upload(text, 1, { conditions })
    await expect(upload('2', { ifNoneMatch: '*' })).rejects.toMatchObject({ code: 'BlobAlreadyExists' })
    await upload('2', { ifMatch: etag.replaceAll('"', '') })
    await expect(upload('3', { ifMatch: etag })).rejects.toMatchObject({ code: 'ConditionNotMet' })
    expect((await client.downloadToBuffer()).toString()).toBe('2')
  })

  test('lets only the holder of a lease write, until it is released or broken', async () => {
    const client = blob('lease')
    await client.upload('1', 1)
    const lease = client.getBlobLeaseClient()
    const { leaseId = '' } = await lease.acquireLease(60)
    await expect(client.getBlobLeaseClient().acquireLease(60)).rejects.toMatchObject({ code: 'LeaseAlreadyPresent' })
    await expect(client.upload('2', 1)).rejects.toMatchObject({ code: 'LeaseIdMissing' })
    const byOther = client.delete({ conditions: { leaseId: '00000000-0000-0000-0000-000000000000' } })
    await expect(byOther).rejects.toMatchObject({ code: 'LeaseIdMismatchWithBlobOperation' })
    await client.upload('2', 1, { conditions: { leaseId } })
    expect(await client.getProperties()).toMatchObject({ leaseState: 'leased', leaseStatus: 'locked' })
    await lease.renewLease()
    await lease.releaseLease()
    await client.upload('3', 1)
    await client.getBlobLeaseClient().acquireLease(-1)
    await client.getBlobLeaseClient().breakLease(0)
    await client.delete()
  })

  test.each([
    ['an append blob', 'backup/x', 'PUT', { 'x-ms-blob-type': 'AppendBlob' }],
    ['a copy from elsewhere', 'backup/x', 'PUT', { 'x-ms-copy-source': 'https://other.test/x' }],
    ['a block from elsewhere', 'backup/x?comp=block&blockid=AA', 'PUT', { 'x-ms-copy-source': 'https://other.test/x' }],
    ['a blob with tags', 'backup/x', 'PUT', { 'x-ms-blob-type': 'BlockBlob', 'x-ms-tags': 'a=b' }],
    ['a customer key', 'backup/x', 'PUT', { 'x-ms-blob-type': 'BlockBlob', 'x-ms-encryption-key': 'AA' }],
    ['deleted blobs in a list', 'backup?restype=container&comp=list&showonly=deleted', 'GET', {}],
    ['reading a snapshot', 'backup/range?snapshot=2026-01-01T00:00:00Z', 'GET', {}],
    ['a date as a condition', 'backup/range', 'GET', { 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }],
    ['a batch', '?comp=batch', 'POST', {}],
    ['a snapshot', 'backup/range?comp=snapshot', 'PUT', {}],
    ['tags', 'backup/range?comp=tags', 'PUT', {}],
  ])('refuses %s by name', async (_name, path, method, headers) => {
    const answer = await send(path, method, headers)
    expect([answer.status, answer.headers.get('x-ms-error-code')]).toEqual([501, 'NotImplemented'])
    expect(await answer.text()).toMatch(/^[^]*The enclave does not support [^]*--azurite/)
    expect(await blob('x').exists()).toBe(false)
  })

  test('a client that sends more than 256 MiB, or asks first, gets the refusal and no lost connection', async () => {
    const upload = (headers: OutgoingHttpHeaders) => {
      const url = `${enclave.cloud.storageEndpoint}backup/large`
      return request(url, { method: 'PUT', headers: { 'content-length': 256 * megabyte + 1, ...headers } })
    }
    const refusal = { statusCode: 413, headers: { 'x-ms-error-code': 'RequestBodyTooLarge' } }
    const whole = upload({ connection: 'close' })
    const parts = [...Array<Buffer>(256).fill(Buffer.alloc(megabyte)), Buffer.alloc(1)]
    const [answers] = await Promise.all([once(whole, 'response'), pipeline(Readable.from(parts), whole)])
    expect(answers).toMatchObject([refusal])
    const asking = upload({ expect: '100-continue' })
    asking.flushHeaders()
    expect(await once(asking, 'response')).toMatchObject([refusal])
    asking.on('error', () => {}).destroy()
  })

  test('has a Terraform state, and every request needs a token', async () => {
    expect(await (await send('example/terraform.tfstate', 'GET')).json()).toMatchObject({ version: 4, resources: [] })
    expect((await send('example/terraform.tfstate', 'GET', { authorization: '' })).status).toBe(401)
  })

  test('a file of several parts has properties, and is described alone and in a list of pages', async () => {
    const file = 'lake/dir/file.txt'
    for (const path of ['lake?resource=filesystem', 'lake/dir?resource=directory', `${file}?resource=file`])
      await send(path, 'PUT')
    await send(`${file}?action=append&position=0`, 'PATCH', {}, 'hello ')
    await send(`${file}?action=append&position=6`, 'PATCH', {}, 'world')
    await send(`${file}?action=flush&position=11`, 'PATCH')
    const properties = { 'x-ms-properties': `owner=${Buffer.from('ops').toString('base64')}` }
    expect((await send(`${file}?action=setProperties`, 'PATCH', properties)).status).toBe(200)
    expect(await (await send(file, 'GET')).text()).toBe('hello world')
    for (const [path, header] of [
      [file, { 'x-ms-meta-owner': 'ops' }],
      [`${file}?action=getStatus`, { 'content-length': '11', 'x-ms-resource-type': 'file' }],
      [`${file}?action=getAccessControl`, { 'x-ms-acl': 'user::rw-,group::r--,other::---' }],
      ['lake/dir?action=getStatus', { 'x-ms-resource-type': 'directory' }],
      ['lake/?action=getStatus', { 'x-ms-resource-type': 'directory' }],
    ] as const)
      expect(Object.fromEntries((await send(path, 'HEAD')).headers)).toMatchObject(header)
    const list = async (more = '') => send(`lake?resource=filesystem&recursive=true${more}`, 'GET')
    const { paths } = (await (await list()).json()) as { readonly paths: readonly { readonly creationTime: string }[] }
    expect(paths).toMatchObject([
      { name: 'dir', isDirectory: 'true', permissions: 'rwxr-x---', owner: '$superuser', group: '$superuser' },
      { name: 'dir/file.txt', contentLength: '11', permissions: 'rw-r-----' },
    ])
    // In units of 100 nanoseconds since 1601.
    const created = paths.map(({ creationTime }) => Number(creationTime) / 10_000 - 11_644_473_600_000)
    expect(created.every((time) => Math.abs(time - Date.now()) < 600_000)).toBe(true)
    for (const action of ['getStatus', 'getAccessControl'])
      expect((await send(`lake/missing?action=${action}`, 'HEAD')).status).toBe(404)
    const first = await list('&maxResults=1')
    const mark = encodeURIComponent(first.headers.get('x-ms-continuation') ?? '')
    const next = await list(`&maxResults=1&continuation=${mark}`)
    expect(await first.json()).toMatchObject({ paths: [{ name: 'dir' }] })
    expect(await next.json()).toMatchObject({ paths: [{ name: 'dir/file.txt' }] })
    expect(next.headers.get('x-ms-continuation')).toBe(null)
    for (const directory of ['missing', 'dir/file.txt/x', 'dir/file.txt', 'di'])
      expect((await list(`&directory=${directory}`)).headers.get('x-ms-error-code')).toBe('PathNotFound')
  })

  test('copies a blob, a range of it and a whole blob by address', async () => {
    const [source, copy] = [blob('copied/source ü'), blob('copied/copy')]
    const metadata = { from: 'source' }
    await source.upload('0123456789', 10, { metadata, blobHTTPHeaders: { blobContentType: 'text/plain' } })
    expect((await (await copy.beginCopyFromURL(source.url)).pollUntilDone()).copyStatus).toBe('success')
    expect(await copy.getProperties()).toMatchObject({ metadata, contentType: 'text/plain', copyStatus: 'success' })
    await copy.syncUploadFromURL(source.url, { metadata: { from: 'copy' } })
    expect((await copy.getProperties()).metadata).toEqual({ from: 'copy' })
    await copy.stageBlockFromURL('AAAA', source.url, 2, 3)
    await copy.stageBlock('BBBB', '!', 1)
    await copy.commitBlockList(['AAAA', 'BBBB'])
    expect((await copy.downloadToBuffer()).toString()).toBe('234!')
    const existing = copy.beginCopyFromURL(source.url, { conditions: { ifNoneMatch: '*' } })
    await expect(existing).rejects.toMatchObject({ code: 'BlobAlreadyExists' })
    await expect(copy.beginCopyFromURL(blob('copied/none').url)).rejects.toMatchObject({ code: 'BlobNotFound' })
  })

  // What the Azure SDK for C++ reads by `.at`, in sdk/storage/*/src/rest_client.cpp: without one of them, it ends its process.
  const written = 'etag last-modified x-ms-request-server-encrypted'
  const rights = 'x-ms-owner x-ms-group x-ms-permissions'
  const status = `content-length etag last-modified ${rights} x-ms-server-encrypted x-ms-resource-type`
  const leaseId = '00000000-0000-0000-0000-000000000001'
  const lease = { 'x-ms-lease-duration': '60', 'x-ms-proposed-lease-id': leaseId, 'x-ms-lease-id': leaseId }
  const holds = 'x-ms-lease-state x-ms-lease-status x-ms-has-immutability-policy x-ms-has-legal-hold'
  const operations: readonly (readonly [string, string, string, Record<string, string>?, string?])[] = [
    ['PUT', 'cpp?restype=container', 'etag last-modified'],
    ['GET', 'cpp?restype=container', `etag last-modified ${holds}`],
    ['PUT', 'cpp/b', written, { 'x-ms-blob-type': 'BlockBlob' }, 'content'],
    ['PUT', 'cpp/c?comp=block&blockid=AAAA', 'x-ms-request-server-encrypted', {}, 'content'],
    ['PUT', 'cpp/c?comp=blocklist', written, {}, '<BlockList><Latest>AAAA</Latest></BlockList>'],
    ['PUT', 'cpp/b?comp=metadata', written],
    ['PUT', 'cpp/b?comp=lease', 'x-ms-lease-id', { ...lease, 'x-ms-lease-action': 'acquire' }],
    ['PUT', 'cpp/b?comp=lease', 'x-ms-lease-id', { ...lease, 'x-ms-lease-action': 'renew' }],
    ['PUT', 'cpp/b?comp=lease', 'x-ms-lease-time', { ...lease, 'x-ms-lease-action': 'break' }],
    ['GET', 'cpp/b', 'etag last-modified x-ms-creation-time x-ms-server-encrypted'],
    ['HEAD', 'cpp/b', 'content-length x-ms-creation-time x-ms-server-encrypted x-ms-lease-state x-ms-blob-type'],
    ['GET', 'cpp?restype=container&comp=list', 'content-type'],
    ['PUT', 'cpp/d?resource=directory', 'etag last-modified'],
    ['PUT', 'cpp/d/f?resource=file', 'etag last-modified'],
    ['PATCH', 'cpp/d/f?action=append&position=0', 'x-ms-request-server-encrypted', {}, 'content'],
    ['PATCH', 'cpp/d/f?action=flush&position=7', `${written} content-length`],
    ['HEAD', 'cpp/d/f?action=getAccessControl', `${rights} x-ms-acl`],
    ['HEAD', 'cpp/d?action=getStatus', status],
    ['HEAD', 'cpp/d/f?action=getStatus', status],
    ['HEAD', 'cpp/?action=getStatus', status],
    ['PUT', 'cpp/e', 'etag last-modified', { 'x-ms-rename-source': '/cpp/d' }],
    ['GET', '?restype=account&comp=properties', 'x-ms-sku-name x-ms-account-kind x-ms-is-hns-enabled'],
  ]
  test('each operation has the headers that the SDK reads', async () => {
    for (const [method, path, names, headers, body] of operations) {
      const response = await send(path, method, headers, body)
      expect([method, path, response.ok]).toEqual([method, path, true])
      for (const name of names.split(' ')) expect([path, name, response.headers.has(name)]).toEqual([path, name, true])
    }
  })

  test('a refusal has its reason in the status line, and a list by folders has no directory as a blob', async () => {
    const missing = await send('none/?action=getAccessControl', 'HEAD')
    expect([missing.status, missing.statusText]).toEqual([404, 'The specified container does not exist.'])
    await send('folders?restype=container', 'PUT')
    for (const path of ['a?resource=directory', 'a-b?resource=file', 'a/c?resource=file'])
      await send(`folders/${path}`, 'PUT')
    const pages: string[] = []
    const items = service.getContainerClient('folders').listBlobsByHierarchy('/').byPage({ maxPageSize: 1 })
    for await (const { segment } of items)
      pages.push([...(segment.blobPrefixes ?? []), ...segment.blobItems].map(({ name }) => name).join())
    expect(pages).toEqual(['a-b', 'a/'])
  })

  test('a user delegation key names the caller', async () => {
    const body = '<KeyInfo><Start>2026-01-01T00:00:00Z</Start><Expiry>2026-01-02T00:00:00Z</Expiry></KeyInfo>'
    const text = await (await send('?restype=service&comp=userdelegationkey', 'POST', {}, body)).text()
    expect(text).toContain(`<SignedTid>${enclave.cloud.tenantId}</SignedTid>`)
    expect(text).toMatch(/<SignedExpiry>2026-01-02.*<Value>.{44}<\/Value>/)
  })
})
