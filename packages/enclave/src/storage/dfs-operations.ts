import { type EnclaveResponse, empty, json, type EnclaveRequest } from '../http/exchange.ts'
import { type Blob, type BlobFacts, refuse, unsupported, type BlobStore } from './blob-store.ts'
import { factsOf, stored, textOf } from './blob-operations.ts'

const folderMark = { hdi_isfolder: 'true' }
const isFolder = ({ metadata }: BlobFacts) => metadata['hdi_isfolder'] === 'true'

const owner = '$superuser'
const permissionsOf = (blob: BlobFacts) => (isFolder(blob) ? 'rwxr-x---' : 'rw-r-----')

/** Whether a request is for the hierarchical file system. Clients read the content of a file as a blob. */
export function isFileSystemRequest({ query, headers }: EnclaveRequest): boolean {
  return ['resource', 'action', 'recursive'].some((name) => query.has(name)) || 'x-ms-rename-source' in headers
}

/** The hierarchical file system over the blobs of the account. */
export function respondAsFileSystem(
  request: EnclaveRequest,
  container: string,
  path: string,
  store: BlobStore,
): EnclaveResponse {
  const { query, headers } = request
  if ('x-ms-rename-source' in headers) throw unsupported('rename of a path')
  const method = textOf(request, 'x-http-method-override') ?? request.method
  const operation = `${method} ${query.get('action') ?? query.get('resource') ?? ''}`.trimEnd()
  const given = { properties: factsOf(request).properties, metadata: propertiesIn(request) }
  const hasNamespace = { 'x-ms-namespace-enabled': 'true' }
  const file = () => store.blob(container, path, textOf(request, 'x-ms-lease-id'))
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
    case 'PUT file':
      return stored(201, file().put([], given))
    case 'PUT directory':
      return stored(201, file().put([], { ...given, metadata: { ...given.metadata, ...folderMark } }))
    case 'PATCH append':
      file().existing()
      file().putBlock((query.get('position') ?? '0').padStart(16, '0'), request.body)
      return empty(202)
    case 'PATCH flush': {
      const { content, properties, metadata } = file().existing()
      const parts = [...file().uncommitted()].sort(([a], [b]) => a.localeCompare(b)).map(([, part]) => part)
      const kept = { properties: { ...properties, ...given.properties }, metadata }
      return stored(200, file().put([content, ...parts], kept))
    }
    case 'PATCH setProperties':
      return stored(200, file().update(given))
    case 'HEAD getStatus':
    case 'HEAD getAccessControl': {
      const entry =
        path === ''
          ? { ...store.container(container), ...root }
          : (entriesOf(store, container).get(path) ?? refuse('BlobNotFound'))
      const isDirectory = isFolder(entry)
      const permissions = permissionsOf(entry)
      const [user, group, other] = [0, 3, 6].map((at) => permissions.slice(at, at + 3))
      return stored(200, entry, {
        'content-length': String(entry.content.length),
        'x-ms-owner': owner,
        'x-ms-group': owner,
        'x-ms-permissions': permissions,
        'x-ms-acl': `user::${user},group::${group},other::${other}`,
        'x-ms-resource-type': isDirectory ? 'directory' : 'file',
      })
    }
    case 'DELETE': {
      const below = [...store.container(container).blobs.keys()].filter((name) => name.startsWith(`${path}/`))
      for (const name of query.get('recursive') === 'true' ? below : []) store.blob(container, name).delete()
      file().delete()
      return empty(200)
    }
    default:
      throw unsupported(operation)
  }
}

/** A directory that has no blob, such as the root of a file system. */
const root = { content: Buffer.alloc(0), properties: {}, metadata: folderMark }

/** The blobs of a container and the directories above them, by path. */
function entriesOf(store: BlobStore, container: string): ReadonlyMap<string, Blob> {
  const { blobs } = store.container(container)
  const entries = new Map(blobs)
  for (const [name, blob] of blobs) {
    for (let end = name.lastIndexOf('/'); end > 0; end = name.lastIndexOf('/', end - 1)) {
      const above = name.slice(0, end)
      if (!entries.has(above)) entries.set(above, { ...blob, ...root })
    }
  }
  return entries
}

function listPaths({ query }: EnclaveRequest, container: string, store: BlobStore): EnclaveResponse {
  const directory = query.get('directory')?.replaceAll(/^\/|\/$/g, '') ?? ''
  const entries = entriesOf(store, container)
  const entry = entries.get(directory)
  if (directory !== '' && (entry === undefined || !isFolder(entry))) refuse('BlobNotFound')
  const prefix = directory === '' ? '' : `${directory}/`
  const isListed = (name: string) =>
    name.startsWith(prefix) && (query.get('recursive') === 'true' || !name.slice(prefix.length).includes('/'))
  const found = [...entries].filter(([name]) => isListed(name))
  const paths = found.map(([name, blob]) => ({
    name,
    contentLength: String(blob.content.length),
    etag: blob.etag,
    lastModified: new Date(blob.modifiedAt).toUTCString(),
    // In units of 100 nanoseconds since 1601.
    creationTime: String((blob.createdAt + 11_644_473_600_000) * 10_000),
    owner,
    group: owner,
    permissions: permissionsOf(blob),
    ...(isFolder(blob) && { isDirectory: 'true' }),
  }))
  return json(200, { paths: paths.sort((a, b) => a.name.localeCompare(b.name)) })
}

/** `x-ms-properties` is a list of names and Base64 values. */
function propertiesIn(request: EnclaveRequest): Record<string, string> {
  const pairs = (textOf(request, 'x-ms-properties') ?? '').split(',').map((pair): [string, string] => {
    const [name = '', ...value] = pair.split('=')
    return [name.trim(), Buffer.from(value.join('='), 'base64').toString()]
  })
  return Object.fromEntries(pairs.filter(([name]) => name !== ''))
}
