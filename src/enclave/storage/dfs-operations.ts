import { type Answer, type EnclaveRequest, json } from '../http/route.ts'
import type { BlobStore } from './blob-store.ts'
import { empty, headersOf, propertiesOf, textOf, unsupported } from './storage-http.ts'

const folderMark = { hdi_isfolder: 'true' }

/** Whether a request is one of the hierarchical file system. Requests for the content of a file are those of blobs. */
export function isFileSystemRequest({ query, headers }: EnclaveRequest): boolean {
  return ['resource', 'action', 'recursive'].some((name) => query.has(name)) || 'x-ms-rename-source' in headers
}

/** The file system over the blobs of the account: create, list, append, flush, properties, delete. */
export function answerFileSystem(request: EnclaveRequest, container: string, path: string, store: BlobStore): Answer {
  const { query, headers } = request
  if ('x-ms-rename-source' in headers) throw unsupported('rename of a path')
  const method = textOf(request, 'x-http-method-override') ?? request.method
  const resource = query.get('resource')
  const operation = `${method} ${query.get('action') ?? resource ?? ''}`.trimEnd()
  const leaseId = textOf(request, 'x-ms-lease-id')
  const given = { properties: propertiesOf(request, true), metadata: propertiesIn(request) }
  switch (operation) {
    case 'PUT filesystem':
      return empty(201, { ...headersOf(store.createContainer(container)), 'x-ms-namespace-enabled': 'true' })
    case 'HEAD filesystem':
      return empty(200, { ...headersOf(store.container(container)), 'x-ms-namespace-enabled': 'true' })
    case 'DELETE filesystem':
      store.deleteContainer(container)
      return empty(202)
    case 'GET filesystem':
      return listPaths(request, container, store)
    case 'PUT file':
      return empty(201, headersOf(store.put(container, path, Buffer.alloc(0), given, leaseId)))
    case 'PUT directory': {
      const metadata = { ...given.metadata, ...folderMark }
      return empty(201, headersOf(store.put(container, path, Buffer.alloc(0), { ...given, metadata }, leaseId)))
    }
    case 'PATCH append': {
      store.existing(container, path)
      store.putBlock(container, path, (query.get('position') ?? '0').padStart(16, '0'), request.body, leaseId)
      return empty(202)
    }
    case 'PATCH flush': {
      const { content, properties, metadata } = store.existing(container, path)
      const parts = [...(store.container(container).blocks.get(path) ?? [])].sort(([a], [b]) => a.localeCompare(b))
      const whole = Buffer.concat([content, ...parts.map(([, part]) => part)])
      const kept = { properties: { ...properties, ...given.properties }, metadata }
      return empty(200, headersOf(store.put(container, path, whole, kept, leaseId)))
    }
    case 'PATCH setProperties':
      return empty(200, headersOf(store.update(container, path, given, leaseId)))
    case 'HEAD getStatus':
    case 'HEAD getAccessControl': {
      const found = store.existing(container, path)
      const owner = { 'x-ms-owner': '$superuser', 'x-ms-group': '$superuser', 'x-ms-permissions': 'rw-r-----' }
      const kind = found.metadata['hdi_isfolder'] === 'true' ? 'directory' : 'file'
      return empty(200, { ...headersOf(found), ...owner, 'x-ms-resource-type': kind })
    }
    case 'DELETE': {
      const below = [...store.container(container).blobs.keys()].filter((name) => name.startsWith(`${path}/`))
      for (const name of query.get('recursive') === 'true' ? below : []) store.delete(container, name)
      store.delete(container, path, leaseId)
      return empty(200)
    }
    default:
      throw unsupported(operation)
  }
}

function listPaths({ query }: EnclaveRequest, container: string, store: BlobStore): Answer {
  const directory = query.get('directory') ?? ''
  const prefix = directory === '' ? '' : `${directory.replace(/\/$/, '')}/`
  const isRecursive = query.get('recursive') === 'true'
  const blobs = [...store.container(container).blobs].filter(([name]) => name.startsWith(prefix) && name !== prefix)
  const files = blobs.flatMap(([name, { content, etag, modifiedAt, metadata }]) => {
    const isDirectory = metadata['hdi_isfolder'] === 'true'
    if (!isRecursive && name.slice(prefix.length).includes('/')) return []
    const lastModified = new Date(modifiedAt).toUTCString()
    return [
      { name, contentLength: String(content.length), etag, lastModified, ...(isDirectory && { isDirectory: 'true' }) },
    ]
  })
  return json(200, { paths: files.sort((a, b) => a.name.localeCompare(b.name)) })
}

/** `x-ms-properties` is a list of names with values in Base64. */
function propertiesIn(request: EnclaveRequest): Record<string, string> {
  const pairs = (textOf(request, 'x-ms-properties') ?? '').split(',').filter((pair) => pair.includes('='))
  return Object.fromEntries(
    pairs.map((pair) => [
      pair.slice(0, pair.indexOf('=')).trim(),
      Buffer.from(pair.slice(pair.indexOf('=') + 1), 'base64').toString(),
    ]),
  )
}
