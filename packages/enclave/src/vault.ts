import * as crypto from 'node:crypto'
import { promisify } from 'node:util'
import type { Context } from './context.ts'
import { type EnclaveResponse, json, type EnclaveRequest, jsonOf, type ProtectedHandler } from './http/exchange.ts'
import { createVaultCertificates } from './vault-certificates.ts'
import { notFound, refuse, refuseOtherThanTexts, unsupported } from './vault-refusals.ts'

interface Secret {
  readonly version: string
  readonly value: string
  readonly contentType?: string | undefined
  readonly tags?: Readonly<Record<string, string>> | undefined
  readonly created: number
}
interface Key {
  readonly version: string
  readonly publicKey: crypto.KeyObject
  readonly privateKey: crypto.KeyObject
}

const firstVersion = '00000000000000000000000000000001'
const newVersion = (): string => crypto.randomUUID().replaceAll('-', '')
const generate = promisify(crypto.generateKeyPair)

/** Node signs a digest only together with the prefix of its algorithm. */
const digestPrefix = new Map([
  ['RS256', '3031300d060960864801650304020105000420'],
  ['RS384', '3041300d060960864801650304020205000430'],
  ['RS512', '3051300d060960864801650304020305000440'],
])
const oaep = new Map([
  ['RSA-OAEP', 'sha1'],
  ['RSA-OAEP-256', 'sha256'],
])
const parameter = (table: ReadonlyMap<string, string>, algorithm: string): string => {
  const found = table.get(algorithm)
  if (found === undefined) throw new RangeError(`There is no algorithm ${algorithm}.`)
  return found
}
const padding = (algorithm: string) => ({
  padding: crypto.constants.RSA_PKCS1_OAEP_PADDING,
  oaepHash: parameter(oaep, algorithm),
})
const prefixed = (algorithm: string, digest: Buffer) =>
  Buffer.concat([Buffer.from(parameter(digestPrefix, algorithm), 'hex'), digest])

/** An operation with a key. Throws for an unsupported algorithm, and for bytes of another key. */
type Operation = (key: Key, algorithm: string, value: Buffer, digest: Buffer) => Buffer | boolean

const encrypt: Operation = ({ publicKey: key }, algorithm, value) =>
  crypto.publicEncrypt({ key, ...padding(algorithm) }, value)
const decrypt: Operation = ({ privateKey: key }, algorithm, value) =>
  crypto.privateDecrypt({ key, ...padding(algorithm) }, value)
const sign: Operation = ({ privateKey }, algorithm, digest) =>
  crypto.privateEncrypt(privateKey, prefixed(algorithm, digest))
const verify: Operation = ({ publicKey }, algorithm, signature, digest) =>
  crypto.publicDecrypt(publicKey, signature).equals(prefixed(algorithm, digest))
const operations = new Map(Object.entries({ encrypt, decrypt, wrapkey: encrypt, unwrapkey: decrypt, sign, verify }))

/**
 * A key vault in memory: secrets, certificates, and RSA keys (get, create, encrypt, decrypt, wrap, unwrap, sign, verify). Refuses
 * any other operation by name.
 */
export function createVault(context: Context): ProtectedHandler {
  const { content, now } = context
  const secrets = new Map<string, Secret[]>()
  const keys = new Map<string, Promise<Key>>()
  const seconds = (): number => Math.floor(now() / 1000)
  const write = (name: string, given: Omit<Secret, 'version' | 'created'>, version = newVersion()): Secret => {
    const secret = { ...given, version, created: seconds() }
    secrets.set(name, [...(secrets.get(name) ?? []), secret])
    return secret
  }
  write('example', { value: 'a secret of the enclave' }, firstVersion)
  for (const [name, value] of Object.entries(content.secrets)) write(name.toLowerCase(), { value })
  const createKey = (name: string, version: string): Promise<Key> => {
    const key = generate('rsa', { modulusLength: 2048 }).then((pair) => ({ version, ...pair }))
    keys.set(name, key)
    return key
  }
  const seeded = new Set(['example', ...content.keys.map((name) => name.toLowerCase())])
  /** Makes a seeded key at its first request, because that takes a tenth of a second. */
  const existingKey = (name: string): Promise<Key> | undefined =>
    keys.get(name) ?? (seeded.has(name) ? createKey(name, firstVersion) : undefined)

  const respondWithSecret = (
    request: EnclaveRequest,
    url: string,
    name: string,
    version: string | undefined,
  ): EnclaveResponse => {
    const describe = ({ version: own, created, contentType, tags }: Secret) => ({
      id: `${url}/${own}`,
      attributes: { enabled: true, created, updated: created, recoveryLevel: 'Purgeable' },
      contentType,
      tags,
    })
    if (request.method === 'PUT' && version === undefined) {
      const body = jsonOf(request)
      const refused = refuseOtherThanTexts({ contentType: '', ...body }, 'value', 'contentType')
      if (refused !== undefined) return refused
      const { value, contentType, tags } = body as Readonly<Record<string, unknown>> & Secret
      return json(200, { value, ...describe(write(name, { value, contentType, tags })) })
    }
    const versions = secrets.get(name) ?? []
    const latest = versions.at(-1)
    if (latest === undefined) return notFound('SecretNotFound')
    if (request.method === 'DELETE' && version === undefined) {
      secrets.delete(name)
      // A vault without soft delete, which has no recovery id: a client does not wait for the end of the deletion.
      return json(200, describe(latest))
    }
    if (request.method !== 'GET') return unsupported(request)
    if (version === 'versions') return json(200, { value: versions.map(describe), nextLink: null })
    const found = version === undefined ? latest : versions.find((each) => each.version === version)
    if (found?.contentType === 'application/x-pkcs12' && found.value.startsWith('-----'))
      return unsupported(request, 'PKCS #12: create the certificate with the content type application/x-pem-file')
    return found === undefined ? notFound('SecretNotFound') : json(200, { value: found.value, ...describe(found) })
  }

  const respondWithKey = async (request: EnclaveRequest, url: string, name: string, path: readonly string[]) => {
    const action = path.at(-1) ?? ''
    const body: Readonly<Record<string, unknown>> = { digest: '', ...jsonOf(request) }
    const isCreation = request.method === 'POST' && action === 'create'
    const noType = isCreation ? refuseOtherThanTexts(body, 'kty') : undefined
    if (noType !== undefined) return noType
    if (isCreation && body['kty'] !== 'RSA') return unsupported(request, 'a key that is not RSA')
    const key = await (isCreation ? createKey(name, newVersion()) : existingKey(name))
    if (key === undefined) return notFound('KeyNotFound')
    const kid = `${url}/${key.version}`
    const isDeletion = request.method === 'DELETE' && path.length === 0
    if (isDeletion) [keys, seeded].forEach((each) => each.delete(name))
    if (isCreation || isDeletion || request.method === 'GET') {
      const { n, e } = key.publicKey.export({ format: 'jwk' })
      const keyOperations = ['encrypt', 'decrypt', 'sign', 'verify', 'wrapKey', 'unwrapKey']
      return json(200, { key: { kid, kty: 'RSA', key_ops: keyOperations, n, e }, attributes: { enabled: true } })
    }
    const operation = operations.get(action)
    if (request.method !== 'POST' || operation === undefined) return unsupported(request)
    const refused = refuseOtherThanTexts(body, 'alg', 'value', 'digest')
    if (refused !== undefined) return refused
    const { alg, value, digest } = body as Record<'alg' | 'value' | 'digest', string>
    try {
      const result = operation(key, alg, Buffer.from(value, 'base64url'), Buffer.from(digest, 'base64url'))
      return json(200, typeof result === 'boolean' ? { value: result } : { kid, value: result.toString('base64url') })
    } catch {
      if (action === 'verify') return json(200, { value: false })
      return refuse(400, 'BadParameter', `The enclave cannot ${action} this value with the algorithm ${alg}.`)
    }
  }

  const certificates = createVaultCertificates(context, newVersion, (name, version, keyPem, pem, contentType) => {
    const privateKey = crypto.createPrivateKey(keyPem)
    keys.set(name, Promise.resolve({ version, privateKey, publicKey: crypto.createPublicKey(privateKey) }))
    write(name, { value: keyPem + pem, contentType }, version)
  })

  const lists = new Map<string, () => Iterable<string>>([
    ['secrets', () => secrets.keys()],
    ['keys', () => new Set([...seeded, ...keys.keys()])],
    ['certificates', certificates.names],
  ])

  return async (request, { origin }) => {
    const [kind = '', given, ...rest] = request.path.split('/').filter((part) => part !== '')
    const names = lists.get(kind)
    if (names === undefined) return kind === '' ? notFound('NotFound') : unsupported(request)
    const name = given?.toLowerCase()
    const url = `${origin}/${kind}/${name}`
    if (name !== undefined && kind === 'secrets') return respondWithSecret(request, url, name, rest[0])
    if (name !== undefined && kind === 'keys') return respondWithKey(request, url, name, rest)
    if (name !== undefined) return certificates.respond(request, origin, name, rest)
    if (request.method !== 'GET') return unsupported(request)
    const id = kind === 'keys' ? 'kid' : 'id'
    const value = [...names()].map((each) => ({ [id]: `${origin}/${kind}/${each}`, attributes: { enabled: true } }))
    return json(200, { value, nextLink: null })
  }
}
