import {
  constants,
  generateKeyPair,
  privateDecrypt,
  privateEncrypt,
  publicDecrypt,
  publicEncrypt,
  type KeyObject,
} from 'node:crypto'
import { createHash, randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { type Answer, type EnclaveRequest, json } from './http/route.ts'

/** A refusal of the vault, in its format. */
export function vaultError(status: number, code: string, message: string, inner?: string): Answer {
  return json(status, { error: { code, message, ...(inner === undefined ? {} : { innererror: { code: inner } }) } })
}

interface Secret {
  readonly version: string
  readonly value: string
  readonly contentType?: string
  readonly tags?: Readonly<Record<string, string>>
  readonly created: number
}
interface Key {
  readonly version: string
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

const firstVersion = '00000000000000000000000000000001'
const newVersion = (): string => randomUUID().replaceAll('-', '')
const generate = promisify(generateKeyPair)

const hashOfDigest: Readonly<Record<string, string>> = {
  RS256: '3031300d060960864801650304020105000420',
  RS384: '3041300d060960864801650304020205000430',
  RS512: '3051300d060960864801650304020305000440',
}
const oaep: Readonly<Record<string, string>> = { 'RSA-OAEP': 'sha1', 'RSA-OAEP-256': 'sha256' }

/** A key operation on bytes, or `undefined` for an algorithm that the enclave lacks. */
type Operation = (key: Key, algorithm: string, value: Buffer) => Buffer | undefined

const padding = (algorithm: string) => ({ padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: oaep[algorithm] ?? '' })
const encrypt: Operation = ({ publicKey }, algorithm, value) =>
  algorithm in oaep ? publicEncrypt({ key: publicKey, ...padding(algorithm) }, value) : undefined
const decrypt: Operation = ({ privateKey }, algorithm, value) =>
  algorithm in oaep ? privateDecrypt({ key: privateKey, ...padding(algorithm) }, value) : undefined
/** The value is a digest already, which Node signs only with its prefix. */
const sign: Operation = ({ privateKey }, algorithm, value) =>
  algorithm in hashOfDigest
    ? privateEncrypt(privateKey, Buffer.concat([Buffer.from(hashOfDigest[algorithm] ?? '', 'hex'), value]))
    : undefined
const operations: Readonly<Record<string, Operation>> = { encrypt, decrypt, wrapkey: encrypt, unwrapkey: decrypt, sign }

/**
 * A key vault in memory: secrets that can be written, one certificate `example`, and RSA keys (get, create, encrypt, decrypt, wrap, unwrap,
 * sign, verify). Everything else is refused by name.
 *
 * @param seed Secrets beside `example`, by name.
 */
export function createVault(certificatePem: string, seed: Readonly<Record<string, string>>, now: () => number) {
  const secrets = new Map<string, Secret[]>()
  const keys = new Map<string, Key>()
  const write = (name: string, given: Omit<Secret, 'version' | 'created'>, version = newVersion()): Secret => {
    const secret = { ...given, version, created: Math.floor(now() / 1000) }
    secrets.set(name, [...(secrets.get(name) ?? []), secret])
    return secret
  }
  write('example', { value: 'a secret of the enclave' }, firstVersion)
  for (const [name, value] of Object.entries(seed)) write(name.toLowerCase(), { value })
  const createKey = async (name: string, version: string): Promise<Key> => {
    const key = { version, ...(await generate('rsa', { modulusLength: 2048 })) }
    keys.set(name, key)
    return key
  }
  const keyOf = async (name: string): Promise<Key | undefined> =>
    keys.get(name) ?? (name === 'example' ? createKey(name, firstVersion) : undefined)
  const notFound = (what: string): Answer => vaultError(404, what, 'There is nothing with this name in this vault.')

  const answerSecrets = (request: EnclaveRequest, origin: string, name: string, rest: string | undefined): Answer => {
    const describe = (secret: Secret) => ({
      id: `${origin}/secrets/${name}/${secret.version}`,
      attributes: { enabled: true, created: secret.created, updated: secret.created, recoveryLevel: 'Purgeable' },
      ...(secret.contentType === undefined ? {} : { contentType: secret.contentType }),
      ...(secret.tags === undefined ? {} : { tags: secret.tags }),
    })
    if (request.method === 'PUT' && rest === undefined) {
      const { value, contentType, tags } = bodyOf(request) as Partial<Secret>
      if (typeof value !== 'string') return vaultError(400, 'BadParameter', 'The parameter value is missing.')
      const secret = write(name, { value, ...(contentType && { contentType }), ...(tags && { tags }) })
      return json(200, { value, ...describe(secret) })
    }
    const versions = secrets.get(name)
    const latest = versions?.at(-1)
    if (versions === undefined || latest === undefined) return notFound('SecretNotFound')
    if (request.method === 'DELETE' && rest === undefined) {
      secrets.delete(name)
      return json(200, {
        ...describe(latest),
        recoveryId: `${origin}/deletedsecrets/${name}`,
        deletedDate: Math.floor(now() / 1000),
      })
    }
    if (request.method !== 'GET') return refused(request)
    if (rest === 'versions') return json(200, { value: versions.map(describe), nextLink: null })
    const found = rest === undefined ? latest : versions.find(({ version }) => version === rest)
    return found === undefined ? notFound('SecretNotFound') : json(200, { value: found.value, ...describe(found) })
  }

  const answerKeys = async (
    request: EnclaveRequest,
    origin: string,
    name: string,
    rest: readonly string[],
  ): Promise<Answer> => {
    const isCreation = request.method === 'POST' && rest[0] === 'create'
    if (isCreation && (bodyOf(request) as { kty?: string }).kty !== 'RSA')
      return refused(request, 'a key that is not RSA')
    const key = isCreation ? await createKey(name, newVersion()) : await keyOf(name)
    if (key === undefined) return notFound('KeyNotFound')
    const kid = `${origin}/keys/${name}/${key.version}`
    const { n, e } = key.publicKey.export({ format: 'jwk' })
    const keyOperations = ['encrypt', 'decrypt', 'sign', 'verify', 'wrapKey', 'unwrapKey']
    const shown = { key: { kid, kty: 'RSA', key_ops: keyOperations, n, e }, attributes: { enabled: true } }
    if (isCreation || request.method === 'GET') return json(200, shown)
    const action = rest.at(-1) ?? ''
    const { alg = '', value = '', digest = '' } = bodyOf(request) as Readonly<Record<string, string>>
    const bytes = Buffer.from(value, 'base64url')
    if (action === 'verify') return json(200, { value: isSignature(key, alg, Buffer.from(digest, 'base64url'), bytes) })
    const operation = Object.hasOwn(operations, action) ? operations[action] : undefined
    if (request.method !== 'POST' || operation === undefined) return refused(request)
    const result = attempt(() => operation(key, alg, bytes))
    if (result === undefined)
      return vaultError(400, 'BadParameter', `The enclave cannot ${action} this value with the algorithm ${alg}.`)
    return json(200, { kid, value: result.toString('base64url') })
  }

  const certificate = (origin: string): Answer => {
    const der = Buffer.from(certificatePem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64')
    const id = (kind: string) => `${origin}/${kind}/example/${firstVersion}`
    const x5t = createHash('sha1').update(der).digest('base64url')
    const attributes = { enabled: true }
    return json(200, {
      id: id('certificates'),
      kid: id('keys'),
      sid: id('secrets'),
      x5t,
      cer: der.toString('base64'),
      attributes,
    })
  }

  return async (request: EnclaveRequest, origin: string): Promise<Answer> => {
    const [kind = '', given, ...rest] = request.path
      .split('/')
      .slice(1)
      .filter((part) => part !== '')
    const name = given?.toLowerCase()
    const names: Readonly<Record<string, () => readonly string[]>> = {
      secrets: () => [...secrets.keys()],
      keys: () => [...new Set(['example', ...keys.keys()])],
      certificates: () => ['example'],
    }
    const listed = Object.hasOwn(names, kind) ? names[kind] : undefined
    if (listed === undefined) return kind === '' ? notFound('NotFound') : refused(request)
    if (name === undefined) {
      if (request.method !== 'GET') return refused(request)
      const idName = kind === 'keys' ? 'kid' : 'id'
      return json(200, {
        value: listed().map((each) => ({ [idName]: `${origin}/${kind}/${each}`, attributes: { enabled: true } })),
        nextLink: null,
      })
    }
    if (kind === 'secrets') return answerSecrets(request, origin, name, rest[0])
    if (kind === 'keys') return answerKeys(request, origin, name, rest)
    if (request.method !== 'GET') return refused(request)
    return name === 'example' ? certificate(origin) : notFound('CertificateNotFound')
  }
}

function refused({ method, path }: EnclaveRequest, what = `${method} ${path}`): Answer {
  return vaultError(501, 'NotImplemented', `The vault of the enclave does not support ${what}.`)
}

function isSignature(key: Key, algorithm: string, digest: Buffer, signature: Buffer): boolean {
  const expected = Buffer.concat([Buffer.from(hashOfDigest[algorithm] ?? '', 'hex'), digest])
  return attempt(() => publicDecrypt(key.publicKey, signature))?.equals(expected) === true
}

/** A key refuses bytes of another key by an exception. */
function attempt(operation: () => Buffer | undefined): Buffer | undefined {
  try {
    return operation()
  } catch {
    return undefined
  }
}

function bodyOf({ body }: EnclaveRequest): object {
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
