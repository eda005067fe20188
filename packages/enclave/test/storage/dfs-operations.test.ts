import { beforeEach, expect, test } from 'vitest'
import { useEnclave } from '../../../../test/support/use-enclave.ts'

const enclave = useEnclave()
type Headers = Readonly<Record<string, string>>
const call = (path: string, more = {}) =>
  enclave.call(`${enclave.cloud.storageEndpoint}${path}`, enclave.cloud.audiences.storage, more)

/** Returns the status and the code of a refusal. */
async function send(method: string, path: string, given: Headers = {}, body = ''): Promise<string> {
  const { status, headers } = await call(path, { method, headers: { 'x-ms-version': '2025-01-05', ...given }, body })
  return `${status} ${String(headers['x-ms-error-code'] ?? '')}`.trimEnd()
}
const rename = (from: string, to: string, headers: Headers = {}) =>
  send('PUT', `lake/${to}`, { 'x-ms-rename-source': `/lake/${from}`, ...headers })
const put = (path: string) => send('PUT', `lake/${path}`, { 'x-ms-blob-type': 'BlockBlob' }, path)
const read = async (path: string) => (await call(`lake/${path}`)).body

/** The paths of the container. A directory has a final slash. */
async function paths(directory = ''): Promise<readonly string[]> {
  const { json } = await call(`lake?resource=filesystem&recursive=true&directory=${directory}`)
  const { paths: found } = json() as { readonly paths: readonly { name: string; isDirectory?: string }[] }
  return found.map(({ name, isDirectory }) => (isDirectory === 'true' ? `${name}/` : name))
}

// Blobs of a client that knows no directories, so that `a` and `a/b` exist only through them.
beforeEach(async () => {
  await send('DELETE', 'lake?resource=filesystem')
  await send('PUT', 'lake?resource=filesystem')
  for (const path of ['a/b/1', 'a/b/2', 'a/3', 'ab']) await put(path)
})

test('a directory that exists through its files is listed and deleted', async () => {
  expect(await paths('a/')).toEqual(['a/3', 'a/b/', 'a/b/1', 'a/b/2'])
  expect(await send('DELETE', 'lake/a/b/?recursive=true')).toBe('200')
  // The directory above stays.
  expect(await paths()).toEqual(['a/', 'a/3', 'ab'])
  expect(await send('DELETE', 'lake/a/3?recursive=true')).toBe('200')
  expect(await paths()).toEqual(['a/', 'ab'])
  expect(await send('DELETE', 'lake/a?recursive=false')).toBe('200')
  expect(await paths()).toEqual(['ab'])
})

const all = ['a/', 'a/3', 'a/b/', 'a/b/1', 'a/b/2', 'ab']
const [failed, missing] = ['412 ConditionNotMet', '501 NotImplemented']

test.each<[what: string, act: () => Promise<string>, refused: string]>([
  ['a deletion of files not recursive', () => send('DELETE', 'lake/a?recursive=false'), '409 DirectoryNotEmpty'],
  ['the same with a slash', () => send('DELETE', 'lake/a/b/?recursive=false'), '409 DirectoryNotEmpty'],
  ['a deletion of nothing', () => send('DELETE', 'lake/none?recursive=true'), '404 PathNotFound'],
  ['a deletion of the root', () => send('DELETE', 'lake/?recursive=true'), missing],
  ['a deletion with a condition', () => send('DELETE', 'lake/a?recursive=true', { 'if-match': '"x"' }), failed],
  ['a file in place of a directory', () => send('PUT', 'lake/a?resource=file'), '409 PathConflict'],
  ['a directory in place of a file', () => send('PUT', 'lake/ab?resource=directory'), '409 PathConflict'],
  ['a file below a file', () => send('PUT', 'lake/ab/x/y?resource=file'), '409 PathConflict'],
  ['a second file', () => send('PUT', 'lake/ab?resource=file', { 'if-none-match': '*' }), '409 PathAlreadyExists'],
  ['a rename of nothing', () => rename('none', 'x'), '404 SourcePathNotFound'],
  ['a rename into nothing', () => rename('a/3', 'none/3'), '404 RenameDestinationParentPathNotFound'],
  ['a rename below a file', () => rename('a/3', 'ab/3'), '409 PathConflict'],
  ['a rename into itself', () => rename('a', 'a/b/c'), '409 InvalidRenameSourcePath'],
  ['a rename over files', () => rename('a/b', 'a'), '409 DestinationNotEmpty'],
  ['a rename of a file over a directory', () => rename('ab', 'a/b'), '409 PathConflict'],
  ['a rename over what must not exist', () => rename('a/3', 'ab', { 'if-none-match': '*' }), '409 PathAlreadyExists'],
  ['a rename with a condition of its source', () => rename('a/3', 'x', { 'x-ms-source-if-match': '"x"' }), missing],
  ['an access control list', () => send('PATCH', 'lake/a?action=setAccessControl'), missing],
])('%s is refused, and nothing changes', async (_, act, refused) => {
  expect(await act()).toBe(refused)
  expect(await paths()).toEqual(all)
})

test('a leased file refuses the deletion and the rename of its directory', async () => {
  const lease = { 'x-ms-lease-action': 'acquire', 'x-ms-lease-duration': '-1' }
  expect(await send('PUT', 'lake/a/b/2?comp=lease', lease)).toBe('201')
  expect(await send('DELETE', 'lake/a?recursive=true')).toBe('412 LeaseIdMissing')
  expect(await rename('a', 'c')).toBe('412 LeaseIdMissing')
  expect(await paths()).toEqual(all)
})

test('the lease of a directory is for its path: it lets the directory move, and stays behind', async () => {
  await send('PUT', 'lake/d?resource=directory')
  await send('PUT', 'lake/d/1?resource=file')
  const leaseId = '00000000-0000-0000-0000-000000000001'
  const lease = (action: string, headers: Headers) =>
    send('PUT', 'lake/d?comp=lease', { 'x-ms-lease-action': action, ...headers })
  const acquired = { 'x-ms-lease-duration': '60', 'x-ms-proposed-lease-id': leaseId }
  expect(await lease('acquire', acquired)).toBe('201')
  expect(await lease('break', { 'x-ms-lease-break-period': '20' })).toBe('202')
  expect(await rename('d', 'e')).toBe('412 LeaseIdMissing')
  expect(await rename('d', 'e', { 'x-ms-source-lease-id': leaseId })).toBe('201')
  expect(await send('DELETE', 'lake/e?recursive=true')).toBe('200')
})

test('a task commits its files by renaming them', async () => {
  const attempt = 'out/_temporary/0/_temporary/attempt_0'
  expect(await send('PUT', `lake/${attempt}/part-0?resource=file`)).toBe('201')
  expect(await send('PATCH', `lake/${attempt}/part-0?action=append&position=0`, {}, 'rows')).toBe('202')
  expect(await send('PATCH', `lake/${attempt}/part-0?action=flush&position=5`)).toBe('400 InvalidFlushPosition')
  expect(await send('PATCH', `lake/${attempt}/part-0?action=flush&position=4`)).toBe('200')
  expect(await rename(attempt, 'out/_temporary/0/task_0/')).toBe('201')
  expect(await paths('out')).toEqual([
    'out/_temporary/',
    'out/_temporary/0/',
    'out/_temporary/0/_temporary/',
    'out/_temporary/0/task_0/',
    'out/_temporary/0/task_0/part-0',
  ])
  expect(await rename('out%2F_temporary%2F0%2Ftask_0%2Fpart-0', 'out/part-0')).toBe('201')
  expect(await send('DELETE', 'lake/out/_temporary?recursive=true')).toBe('200')
  expect([await paths('out'), await read('out/part-0')]).toEqual([['out/part-0'], 'rows'])
})

test('a rename replaces a file and an empty directory, and moves what exists only through its files', async () => {
  expect(await rename('a/3', 'ab')).toBe('201')
  expect(await read('ab')).toBe('a/3')
  expect(await send('PUT', 'lake/empty?resource=directory')).toBe('201')
  expect(await rename('a', 'empty')).toBe('201')
  expect(await paths()).toEqual(['ab', 'empty/', 'empty/b/', 'empty/b/1', 'empty/b/2'])
})
