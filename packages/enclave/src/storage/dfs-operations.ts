import { decodeSegment, type EnclaveResponse, empty, json, type EnclaveRequest } from '../http/exchange.ts'
import { type Blob, type BlobFacts, refuse, unsupported, type BlobStore, StorageError } from './blob-store.ts'
import { expectConditions, factsOf, pageOf, stored, textOf } from './blob-operations.ts'

const folderMark = { hdi_isfolder: 'true' }
export const isFolder = ({ metadata }: BlobFacts) => metadata['hdi_isfolder'] === 'true'

const owner = '$superuser'
const permissionsOf = (blob: BlobFacts) => (isFolder(blob) ? 'rwxr-x---' : 'rw-r-----')

/** Whether a request is for the hierarchical file system. */
export function isFileSystemRequest({ query, headers, origin }: EnclaveRequest): boolean {
  const isOperation = ['resource', 'action', 'recursive'].some((name) => query.has(name))
  return isOperation || 'x-ms-rename-source' in headers || /^https:\/\/[^.]+\.dfs\./.test(origin)
}

/** The hierarchical file system over the blobs of the account. Clients read the content of a file as a blob. */
export function respondAsFileSystem(
  request: EnclaveRequest,
  container: string,
  name: string,
  store: BlobStore,
): EnclaveResponse {
  const { query, headers } = request
  const path = pathOf(name)
  const method = textOf(request, 'x-http-method-override') ?? request.method
  const action = 'x-ms-rename-source' in headers ? 'rename' : (query.get('action') ?? query.get('resource') ?? '')
  const operation = `${method} ${action}`.trimEnd()
  const hasNamespace = { 'x-ms-namespace-enabled': 'true' }
  switch (operation) {
    case 'PUT filesystem':
      return stored(201, store.createContainer(container), hasNamespace)
    case 'HEAD filesystem':
      return stored(200, store.container(container), hasNamespace)
    case 'DELETE filesystem':
      store.deleteContainer(container)
      return empty(202)
    case 'GET filesystem':
      return listPaths(request, container, store)
  }
  const { blobs } = store.container(container)
  const file = store.blob(container, path, textOf(request, 'x-ms-lease-id'))
  const entry = entriesOf(blobs).get(path)
  const below = namesBelow(blobs, path)
  const properties = { ...factsOf(request, ['x-ms-']).properties }
  const given = { properties, metadata: propertiesIn(request) }
  const flush = (position: string | null): EnclaveResponse => {
    const before = file.existing()
    const parts = [...file.uncommitted()].sort(([a], [b]) => a.localeCompare(b))
    let end = before.content.length
    for (const [at, part] of parts) end = Number(at) === end ? end + part.length : Number.NaN
    if (end !== Number(position)) throw new StorageError('InvalidFlushPosition')
    const kept = { properties: { ...before.properties, ...properties }, metadata: before.metadata }
    const content = [before.content, ...parts.map(([, part]) => part)].filter(({ length }) => length > 0)
    return stored(200, file.put(content, kept))
  }
  if (path === '' && method !== 'HEAD') throw unsupported(`${operation} of the root`)
  expectConditions(request, entry)
  switch (operation) {
    case 'PUT file':
    case 'PUT directory': {
      const isDirectory = operation === 'PUT directory'
      if (entry !== undefined && isFolder(entry) !== isDirectory) refuse('PathConflict')
      file.expectWritable()
      writeDirectoriesAbove(path, container, store)
      const metadata = { ...given.metadata, ...(isDirectory && folderMark) }
      return stored(201, file.put([], { ...given, metadata }))
    }
    case 'PUT rename':
      return rename(request, [container, path], store)
    case 'PATCH append': {
      file.existing()
      const position = query.get('position') ?? '0'
      file.putBlock(position.padStart(16, '0'), request.body)
      return query.get('flush') === 'true' ? flush(String(Number(position) + request.body.length)) : empty(202)
    }
    case 'PATCH flush':
      if (query.get('retainUncommittedData') === 'true') throw unsupported('a flush that retains uncommitted data')
      return flush(query.get('position'))
    case 'PATCH setProperties': {
      const mark = isFolder(entry ?? refuse('BlobNotFound')) && folderMark
      if (mark && file.find() === undefined) file.put([], given)
      return stored(200, file.update({ ...given, metadata: { ...given.metadata, ...mark } }))
    }
    case 'HEAD':
    case 'HEAD getStatus':
    case 'HEAD getAccessControl':
      return describe(path === '' ? { ...store.container(container), ...root } : (entry ?? refuse('BlobNotFound')))
    case 'DELETE': {
      if (entry === undefined) refuse('BlobNotFound')
      if (below.length > 0 && query.get('recursive') !== 'true') refuse('DirectoryNotEmpty')
      const all = below.map((each) => store.blob(container, each))
      if (blobs.has(path)) all.push(file)
      for (const each of all) each.expectWritable()
      writeDirectoriesAbove(path, container, store)
      for (const each of all) each.delete()
      return empty(200)
    }
    default:
      throw unsupported(operation)
  }
}

/** Moves a file, or a directory with all below it, to a path that does not exist, or to a file or an empty directory. */
function rename(request: EnclaveRequest, [container, path]: readonly [string, string], store: BlobStore) {
  const [encoded = ''] = String(request.headers['x-ms-rename-source']).split('?')
  const [fromContainer = '', ...names] = decodeSegment(encoded).replace(/^\//, '').split('/')
  const from = pathOf(names.join('/'))
  const source = store.container(fromContainer).blobs
  const target = store.container(container).blobs
  const [moved, replaced] = [entriesOf(source).get(from), entriesOf(target).get(path)]
  if (moved === undefined) refuse('SourcePathNotFound')
  if (fromContainer === container && `${path}/`.startsWith(`${from}/`)) refuse('InvalidRenameSourcePath')
  const parent = path.slice(0, Math.max(path.lastIndexOf('/'), 0))
  const above = entriesOf(target).get(parent)
  if (parent !== '' && above === undefined) refuse('RenameDestinationParentPathNotFound')
  if (above !== undefined && !isFolder(above)) refuse('PathConflict')
  if (replaced !== undefined && isFolder(replaced) !== isFolder(moved)) refuse('PathConflict')
  if (namesBelow(target, path).length > 0) refuse('DestinationNotEmpty')
  store.blob(container, path, textOf(request, 'x-ms-lease-id')).expectWritable()
  const all = [...(source.has(from) ? [from] : []), ...namesBelow(source, from)]
  const lease = textOf(request, 'x-ms-source-lease-id')
  for (const each of all) store.blob(fromContainer, each, each === from ? lease : undefined).expectWritable()
  writeDirectoriesAbove(from, fromContainer, store)
  for (const each of all) store.move([fromContainer, each], [container, path + each.slice(from.length)])
  return stored(201, moved)
}

/** A path without empty segments, such as after a final slash. */
const pathOf = (name: string) => name.split('/').filter(Boolean).join('/')

const namesBelow = (blobs: ReadonlyMap<string, Blob>, path: string) =>
  [...blobs.keys()].filter((name) => name.startsWith(`${path}/`))

/** Writes the directories above a path, because a directory remains when its last file goes. */
function writeDirectoriesAbove(path: string, container: string, store: BlobStore): void {
  const parts = path.split('/').slice(0, -1)
  const above = parts.map((_, index) => store.blob(container, parts.slice(0, index + 1).join('/')))
  if (above.some((each) => !isFolder(each.find() ?? root))) refuse('PathConflict')
  for (const each of above) if (each.find() === undefined) each.put([], root)
}

function describe(entry: Pick<Blob, 'etag' | 'modifiedAt'> & BlobFacts & { readonly content: Buffer }) {
  const permissions = permissionsOf(entry)
  const [user, group, other] = [0, 3, 6].map((at) => permissions.slice(at, at + 3))
  const named = Object.entries(entry.metadata).map(([key, value]) => `${key}=${Buffer.from(value).toString('base64')}`)
  return stored(200, entry, {
    'content-type': 'application/octet-stream',
    ...entry.properties,
    'content-length': String(entry.content.length),
    'x-ms-owner': owner,
    'x-ms-group': owner,
    'x-ms-permissions': permissions,
    'x-ms-acl': `user::${user},group::${group},other::${other}`,
    'x-ms-resource-type': isFolder(entry) ? 'directory' : 'file',
    'x-ms-properties': named.join(','),
  })
}

/** A directory that has no blob, such as the root of a file system. */
const root = { content: Buffer.alloc(0), properties: {}, metadata: folderMark }

/** The blobs of a container and the directories above them, by path. */
function entriesOf(blobs: ReadonlyMap<string, Blob>): ReadonlyMap<string, Blob> {
  const entries = new Map(blobs)
  for (const [name, blob] of blobs) {
    for (let end = name.lastIndexOf('/'); end > 0; end = name.lastIndexOf('/', end - 1)) {
      const above = name.slice(0, end)
      if (!entries.has(above)) entries.set(above, { ...blob, ...root, lease: undefined })
    }
  }
  return entries
}

/** One page of the paths of a directory, with `directory`, `recursive`, `maxResults` and `continuation`. */
function listPaths({ query }: EnclaveRequest, container: string, store: BlobStore): EnclaveResponse {
  const directory = pathOf(query.get('directory') ?? '')
  const entries = entriesOf(store.container(container).blobs)
  const entry = entries.get(directory)
  if (directory !== '' && (entry === undefined || !isFolder(entry))) refuse('BlobNotFound')
  const prefix = directory === '' ? '' : `${directory}/`
  const isListed = (name: string) =>
    name.startsWith(prefix) && (query.get('recursive') === 'true' || !name.slice(prefix.length).includes('/'))
  const listed = [...entries].filter(([name]) => isListed(name))
  const { page, next } = pageOf(listed, query.get('continuation'), query.get('maxResults'))
  const paths = page.map(([name, blob]) => ({
    name,
    contentLength: String(blob.content.length),
    etag: blob.etag.replaceAll('"', ''),
    lastModified: new Date(blob.modifiedAt).toUTCString(),
    // In units of 100 nanoseconds since 1601.
    creationTime: String((blob.createdAt + 11_644_473_600_000) * 10_000),
    owner,
    group: owner,
    permissions: permissionsOf(blob),
    ...(isFolder(blob) && { isDirectory: 'true' }),
  }))
  return json(200, { paths }, next === undefined ? {} : { 'x-ms-continuation': next })
}

/** `x-ms-properties` is a list of names and Base64 values. */
function propertiesIn(request: EnclaveRequest): Record<string, string> {
  const pairs = (textOf(request, 'x-ms-properties') ?? '').split(',').map((pair): [string, string] => {
    const [name = '', ...value] = pair.split('=')
    return [name.trim(), Buffer.from(value.join('='), 'base64').toString()]
  })
  return Object.fromEntries(pairs.filter(([name]) => name !== ''))
}
