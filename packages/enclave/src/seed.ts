import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { EnclaveError } from './enclave-error.ts'
import { maxBytes, maxEntries } from './storage/blob-store.ts'
import type { Handler } from './http/exchange.ts'

/** The content of the storage account and the key vault at the start. */
export interface Seed {
  /** Names of containers of the storage account, in addition to `example`. */
  readonly containers?: readonly string[] | undefined
  /** Names of queues, which need azurite. */
  readonly queues?: readonly string[] | undefined
  /** Secrets of the key vault by name, in addition to `example`. */
  readonly secrets?: Readonly<Record<string, string>> | undefined
  /** Names of RSA keys of the key vault, in addition to `example`. */
  readonly keys?: readonly string[] | undefined
  /** A folder: `containers/NAME/…` are blobs, `secrets.json` and `settings.json` (App Configuration) are JSON objects of names and texts. */
  readonly seed?: string | undefined
}

type Blobs = ReadonlyMap<string, Buffer>

/** A seed with the content of its folder. */
export interface Content {
  readonly containers: ReadonlyMap<string, Blobs>
  readonly queues: readonly string[]
  readonly secrets: Readonly<Record<string, string>>
  readonly keys: readonly string[]
  readonly settings: Texts
}

type Texts = Readonly<Record<string, string>>

/** A state without resources, which Terraform can read. */
const lineage = randomUUID()
const emptyState = { version: 4, terraform_version: '1.0.0', serial: 1, lineage, outputs: {}, resources: [] }

/** https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules */
const rules = {
  container: [/^(?:\$root|\$web|[a-z\d](?!.*--)[a-z\d-]{1,61}[a-z\d])$/, '3 to 63 lower case letters, digits and -'],
  queue: [/^[a-z\d](?!.*--)[a-z\d-]{1,61}[a-z\d]$/, '3 to 63 lower case letters, digits and -'],
  secret: [/^[A-Za-z\d-]{1,127}$/, '1 to 127 letters, digits and -'],
  key: [/^[A-Za-z\d-]{1,127}$/, '1 to 127 letters, digits and -'],
} as const

/** @throws {EnclaveError} for an invalid name, an unreadable folder, or a queue without azurite. */
export async function readSeed(seed: Seed, { hasQueues }: { readonly hasQueues: boolean }): Promise<Content> {
  const { containers = [], queues = [], secrets = {}, keys = [], seed: folder } = seed
  const read = folder === undefined ? { containers: [], secrets: {}, settings: {} } : await readFolder(folder)
  const example = new Map([['terraform.tfstate', Buffer.from(JSON.stringify(emptyState))]])
  const content = {
    containers: new Map<string, Blobs>([
      ['example', example],
      ...containers.map((name) => [name, new Map()] as const),
      ...read.containers,
    ]),
    queues,
    secrets: { ...read.secrets, ...secrets },
    keys,
    settings: read.settings,
  }
  expectNames('container', [...content.containers.keys()])
  expectNames('queue', queues)
  expectNames('secret', Object.keys(content.secrets))
  expectNames('key', keys)
  if (queues.length > 0 && !hasQueues) throw new EnclaveError('A queue needs azurite: add --azurite (azurite: true)')
  return content
}

function expectNames(kind: keyof typeof rules, names: readonly string[]): void {
  const [pattern, rule] = rules[kind]
  const wrong = names.find((name) => !pattern.test(name))
  if (wrong === undefined) return
  throw new EnclaveError(`The ${kind} "${printable(wrong)}" must have a name of ${rule}`)
}

async function readFolder(folder: string) {
  const containers: [string, Blobs][] = []
  const texts = new Map<string, Texts>()
  const used = { bytes: 0, files: 0 }
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name)
    const isTexts = entry.name === 'secrets.json' || entry.name === 'settings.json'
    if (isTexts) texts.set(entry.name, textsOf(await readFile(path, used), path))
    else if (entry.name !== 'containers')
      refuse(folder, `may have only containers/, secrets.json and settings.json: remove ${printable(entry.name)}`)
    else if (!entry.isDirectory()) refuse(path, 'must be a folder')
    else
      for (const container of await entriesOf(path)) {
        const own = join(path, container.name)
        if (!container.isDirectory()) refuse(own, 'must be a folder: the blobs of a container')
        containers.push([container.name, new Map(await readBlobs(own, '', used))])
      }
  }
  return { containers, secrets: texts.get('secrets.json') ?? {}, settings: texts.get('settings.json') ?? {} }
}

type Used = Record<'bytes' | 'files', number>

async function readBlobs(folder: string, prefix: string, used: Used): Promise<readonly (readonly [string, Buffer])[]> {
  const blobs: (readonly [string, Buffer])[] = []
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) blobs.push(...(await readBlobs(path, `${prefix}${entry.name}/`, used)))
    else blobs.push([prefix + entry.name, await readFile(path, used)])
  }
  return blobs
}

/** Reads a file of a folder that may be somebody else's: a link could lead out of it, a pipe may never end, and a large file would fill the memory. */
async function readFile(path: string, used: Used): Promise<Buffer> {
  const flags = [constants.O_NOFOLLOW, constants.O_NONBLOCK].reduce(
    (all, flag: number | undefined) => all | (flag ?? 0),
  )
  const file = await open(path, flags).catch((error: unknown) => refuseUnreadable(error, path))
  try {
    const stat = await file.stat()
    if (!stat.isFile()) refuse(path, 'must be a file or a folder')
    used.bytes += stat.size
    used.files += 1
    if (used.bytes > maxBytes || used.files > maxEntries)
      refuse(path, `is too large: storage has at most ${maxBytes} bytes in ${maxEntries} blobs`)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(stat.size), 0, stat.size, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

function textsOf(content: Buffer, path: string): Texts {
  try {
    const texts: unknown = JSON.parse(content.toString().replace(/^\uFEFF/, ''))
    const isObject = typeof texts === 'object' && texts !== null && !Array.isArray(texts)
    if (isObject && Object.values(texts).every((value) => typeof value === 'string')) return texts as Texts
  } catch {
    // The message of JSON.parse would quote the text, which may contain secrets.
  }
  return refuse(path, 'must be a JSON object of names and texts, such as {"password": "x"}')
}

const entriesOf = (folder: string) =>
  readdir(folder, { withFileTypes: true }).catch((error: unknown) => refuseUnreadable(error, folder))

function refuseUnreadable(error: unknown, path: string): never {
  const { code } = error as NodeJS.ErrnoException
  return refuse(path, code === 'ELOOP' ? 'must be a file or a folder' : `cannot be read (${code}). Name a folder`)
}

function refuse(path: string, rule: string): never {
  throw new EnclaveError(`The seed ${printable(path)} ${rule}`)
}

/** A name of somebody else in a message. Its control characters could give orders to a terminal. */
function printable(name: string): string {
  return name.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (each) => `\\u{${each.codePointAt(0)?.toString(16)}}`)
}

/** Creates containers, blobs and queues by requests to the account, which may be azurite. */
export async function seedStorage(account: Handler, { containers, queues }: Content): Promise<void> {
  const put = async (service: string, path: string, query: string, type: string, body: Buffer = Buffer.alloc(0)) => {
    const headers = {
      'x-ms-version': '2021-12-02',
      'x-ms-blob-type': 'BlockBlob',
      'content-type': type,
      'content-length': String(body.length),
    }
    const target = { method: 'PUT', path, query: new URLSearchParams(query), parameters: {}, claims: {} }
    const response = await account({ ...target, headers, body, origin: `https://enclave.${service}.seed.invalid` })
    // A running azurite may have the content already.
    if (response.status < 300 || response.status === 409) return
    const [, message = ''] = /<Message>([^<\n]*)/.exec(String(response.body)) ?? []
    throw new EnclaveError(`The storage of the enclave refused ${path} (${response.status}): ${message}`)
  }
  const bytes = 'application/octet-stream'
  for (const name of queues) await put('queue', `/${name}`, '', bytes)
  for (const [container, blobs] of containers) {
    await put('blob', `/${container}`, 'restype=container', bytes)
    for (const [name, content] of blobs) {
      const path = name.split('/').map(encodeURIComponent).join('/')
      await put('blob', `/${container}/${path}`, '', name.endsWith('.json') ? 'application/json' : bytes, content)
    }
  }
}
