import { expect, test } from 'vitest'
import { useEnclave } from '../../support/use-enclave.ts'

const enclave = useEnclave()
const send = async (method: string, path: string, body?: string, headers: Readonly<Record<string, string>> = {}) => {
  const authorization = `Bearer ${await enclave.token(enclave.cloud.audiences.storage)}`
  const options = { method, headers: { ...headers, authorization }, ...(body === undefined ? {} : { body }) }
  const response = await fetch(`${enclave.cloud.storageEndpoint}${path}`, options)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test('a file is created, appended to, flushed, listed, read and deleted with its directory', async () => {
  expect((await send('PUT', 'lake?resource=filesystem')).status).toBe(201)
  expect((await send('PUT', 'lake/dir?resource=directory')).status).toBe(201)
  expect((await send('PUT', 'lake/dir/file.txt?resource=file')).status).toBe(201)
  await send('PATCH', 'lake/dir/file.txt?action=append&position=0', 'hello ')
  await send('PATCH', 'lake/dir/file.txt?action=append&position=6', 'world')
  expect((await send('PATCH', 'lake/dir/file.txt?action=flush&position=11')).status).toBe(200)
  expect((await send('GET', 'lake/dir/file.txt')).text).toBe('hello world')
  const properties = { 'x-ms-properties': `owner=${Buffer.from('ops').toString('base64')}` }
  expect((await send('PATCH', 'lake/dir/file.txt?action=setProperties', undefined, properties)).status).toBe(200)
  expect((await send('HEAD', 'lake/dir/file.txt')).headers.get('x-ms-meta-owner')).toBe('ops')
  expect((await send('HEAD', 'lake/dir?action=getStatus')).headers.get('x-ms-resource-type')).toBe('directory')
  const { paths } = JSON.parse((await send('GET', 'lake?resource=filesystem&recursive=true')).text) as {
    paths: unknown
  }
  expect(paths).toMatchObject([
    { name: 'dir', isDirectory: 'true' },
    { name: 'dir/file.txt', contentLength: '11' },
  ])
  expect((await send('DELETE', 'lake/dir?recursive=true')).status).toBe(200)
  expect((await send('GET', 'lake/dir/file.txt')).status).toBe(404)
})

test('a rename is refused by name', async () => {
  const { status, text } = await send('PUT', 'lake/b', undefined, { 'x-ms-rename-source': '/lake/a' })
  expect([status, text]).toEqual([501, expect.stringContaining('rename of a path')])
})

test('a user delegation key names the caller', async () => {
  const body = '<KeyInfo><Start>2026-01-01T00:00:00Z</Start><Expiry>2026-01-02T00:00:00Z</Expiry></KeyInfo>'
  const { status, text } = await send('POST', '?restype=service&comp=userdelegationkey', body)
  expect(status).toBe(200)
  expect(text).toMatch(
    new RegExp(`<SignedTid>${enclave.cloud.tenantId}</SignedTid>.*<SignedExpiry>2026-01-02.*<Value>.{44}</Value>`),
  )
})
