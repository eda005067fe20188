import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EnclaveError } from './enclave-error.ts'
import type { EnclaveRequest, ProtectedHandler } from './http/exchange.ts'

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
  throw new EnclaveError(`The ${kind} ${JSON.stringify(wrong)} must have a name of ${rule}`)
}

async function readFolder(folder: string) {
  const unknown = (await entriesOf(folder)).filter(
    ({ name }) => !['containers', 'secrets.json', 'settings.json'].includes(name),
  )
  if (unknown.length > 0)
    throw new EnclaveError(
      `Remove ${unknown[0]?.name} from the seed ${folder}: it may have only containers/, secrets.json and settings.json`,
    )
  const containers: [string, Blobs][] = []
  const names = await entriesOf(join(folder, 'containers'), true)
  for (const entry of names) {
    const path = join(folder, 'containers', entry.name)
    if (!entry.isDirectory()) throw new EnclaveError(`The seed ${path} must be a folder: the blobs of a container`)
    const blobs = new Map<string, Buffer>()
    await readBlobs(path, '', blobs)
    containers.push([entry.name, blobs])
  }
  const [secrets, settings] = await Promise.all(
    ['secrets', 'settings'].map((name) => readTexts(join(folder, `${name}.json`))),
  )
  return { containers, secrets: secrets ?? {}, settings: settings ?? {} }
}

async function readBlobs(folder: string, prefix: string, blobs: Map<string, Buffer>): Promise<void> {
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await readBlobs(path, `${prefix}${entry.name}/`, blobs)
    // A link could lead out of the folder, and a pipe may never end.
    else if (!entry.isFile()) throw new EnclaveError(`The seed ${path} must be a file or a folder`)
    else blobs.set(prefix + entry.name, await readFile(path))
  }
}

async function readTexts(path: string): Promise<Texts> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => ignoreMissing(error, path, '{}'))
  try {
    const texts: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    const isObject = typeof texts === 'object' && texts !== null && !Array.isArray(texts)
    if (isObject && Object.values(texts).every((value) => typeof value === 'string')) return texts as Texts
  } catch {
    // The message of JSON.parse would quote the text, which may contain secrets.
  }
  throw new EnclaveError(`The seed ${path} must be a JSON object of names and texts, such as {"password": "x"}`)
}

const entriesOf = (folder: string, isOptional = false) =>
  readdir(folder, { withFileTypes: true }).catch((error: unknown) =>
    ignoreMissing(error, folder, isOptional ? [] : undefined),
  )

function ignoreMissing<T>(error: unknown, path: string, instead: T | undefined): T {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' && instead !== undefined) return instead
  throw new EnclaveError(`The seed ${path} cannot be read (${code}). Name a folder`, { cause: error })
}

/** Creates containers, blobs and queues by requests to the account, which may be azurite. */
export async function seedStorage(account: ProtectedHandler, { containers, queues }: Content): Promise<void> {
  const put = async (service: string, path: string, query: string, type: string, body: Buffer = Buffer.alloc(0)) => {
    const headers = {
      'x-ms-version': '2021-12-02',
      'x-ms-blob-type': 'BlockBlob',
      'content-type': type,
      'content-length': String(body.length),
    }
    const request: EnclaveRequest = { method: 'PUT', path, query: new URLSearchParams(query), headers, body }
    const accepted = { origin: `https://enclave.${service}.seed.invalid`, claims: {}, parameters: {} }
    const response = await account(request, accepted)
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
