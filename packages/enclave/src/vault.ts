import * as crypto from 'node:crypto'
import { promisify } from 'node:util'
import type { Context } from './context.ts'
import type { EnclaveRequest, EnclaveResponse, ErrorText, Handler } from './http/exchange.ts'
import { json, jsonOf, refusal } from './http/exchange.ts'

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

interface Certificate {
  readonly version: string
  readonly der: Buffer
  /** As the client sent it. */
  readonly policy: unknown
  readonly tags?: unknown
}

const refuse = (...text: ErrorText): EnclaveResponse => refusal('vault', ...text)
const notFound = (code: string): EnclaveResponse => refuse(404, code, 'This vault has nothing with this name.')
const unsupported = ({ method, path }: EnclaveRequest, what = `${method} ${path}`): EnclaveResponse =>
  refuse(501, 'NotImplemented', `The vault of the enclave does not support ${what}.`)

function refuseOtherThanTexts(body: Readonly<Record<string, unknown>>, ...names: readonly string[]) {
  const wrong = names.find((name) => typeof body[name] !== 'string')
  return wrong === undefined ? undefined : refuse(400, 'BadParameter', `The parameter ${wrong} must be a text.`)
}

const field = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce((each, name) => (each as Readonly<Record<string, unknown>> | null | undefined)?.[name], value)

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

const signature = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', publicExponent: Buffer.of(1, 0, 1) }
const pending = (url: string, status: string) => ({ id: `${url}/pending`, issuer: { name: 'Self' }, status })

/** Responds about a name in one part of the vault. `path` is the rest of the requested path. */
type Respond = (request: EnclaveRequest, name: string, path: readonly string[]) => ReturnType<Handler>

/** A key vault in memory: secrets, RSA keys, and certificates that its own issuer (`Self`) signs at once. Refuses any other operation by name. */
export function createVault({ ca, certificate, content, now }: Context): Handler {
  const secrets = new Map<string, Secret[]>()
  const keys = new Map<string, Promise<Key>>()
  /** The latest version of each. */
  const certificates = new Map<string, Certificate>()
  const seconds = (): number => Math.floor(now() / 1000)
  const write = (name: string, given: Omit<Secret, 'version' | 'created'>, version = newVersion()): Secret => {
    const secret = { ...given, version, created: seconds() }
    secrets.set(name, [...(secrets.get(name) ?? []), secret])
    return secret
  }
  const writeCertificate = (name: string, pem: string, given: Omit<Certificate, 'der'>) =>
    certificates.set(name, { ...given, der: new crypto.X509Certificate(pem).raw })
  write('example', { value: 'a secret of the enclave' }, firstVersion)
  writeCertificate('example', certificate.certificatePem, { version: firstVersion, policy: {} })
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

  const respondWithSecret: Respond = (request, name, [version]) => {
    const url = `${request.origin}/secrets/${name}`
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

  const respondWithKey: Respond = async (request, name, path) => {
    const action = path.at(-1) ?? ''
    const body: Readonly<Record<string, unknown>> = { digest: '', ...jsonOf(request) }
    const isCreation = request.method === 'POST' && action === 'create'
    const noType = isCreation ? refuseOtherThanTexts(body, 'kty') : undefined
    if (noType !== undefined) return noType
    if (isCreation && body['kty'] !== 'RSA') return unsupported(request, 'a key that is not RSA')
    const key = await (isCreation ? createKey(name, newVersion()) : existingKey(name))
    if (key === undefined) return notFound('KeyNotFound')
    const kid = `${request.origin}/keys/${name}/${key.version}`
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

  /** Creates a certificate, and the key and secret with the same name and version. */
  const createCertificate = async (request: EnclaveRequest, name: string, url: string): Promise<EnclaveResponse> => {
    const { policy, tags } = jsonOf(request)
    const issuer = field(policy, 'issuer', 'name')
    if (issuer !== 'Self') return unsupported(request, `the issuer ${JSON.stringify(issuer)}, only "Self"`)
    if ((field(policy, 'key_props', 'kty') ?? 'RSA') !== 'RSA') return unsupported(request, 'a key that is not RSA')
    const [, commonName] = /^CN=(.+)$/i.exec(String(field(policy, 'x509_props', 'subject'))) ?? []
    const names = [field(policy, 'x509_props', 'sans', 'dns_names') ?? []].flat().map(String)
    const months = Number(field(policy, 'x509_props', 'validity_months') ?? 12)
    const modulusLength = Number(field(policy, 'key_props', 'key_size') ?? 2048)
    const isValid = [2048, 3072, 4096].includes(modulusLength) && months > 0 && months <= 1200
    const invalid = refuse(400, 'BadParameter', 'The subject, the key size or the validity of the policy is invalid.')
    if (commonName === undefined || !isValid) return invalid
    const pair = await crypto.webcrypto.subtle.generateKey({ ...signature, modulusLength }, true, ['sign'])
    const notAfter = new Date(Date.now() + months * 30 * 24 * 3_600_000)
    const wanted = { commonName, usage: 'server', names, keys: pair, notAfter, selfSigned: true } as const
    const issued = await ca.issue(wanted).catch(() => undefined)
    if (issued === undefined) return invalid
    const version = newVersion()
    writeCertificate(name, issued.certificatePem, { version, policy, tags })
    const privateKey = crypto.createPrivateKey(issued.privateKeyPem)
    keys.set(name, Promise.resolve({ version, privateKey, publicKey: crypto.createPublicKey(privateKey) }))
    const wantedType = field(policy, 'secret_props', 'contentType')
    const contentType = typeof wantedType === 'string' ? wantedType : 'application/x-pkcs12'
    write(name, { value: issued.privateKeyPem + issued.certificatePem, contentType }, version)
    return json(202, pending(url, 'inProgress'), { location: `${url}/pending` })
  }

  const respondWithCertificate: Respond = (request, name, [part = '']) => {
    const { origin } = request
    const url = `${origin}/certificates/${name}`
    if (request.method === 'POST' && part === 'create') return createCertificate(request, name, url)
    const found = certificates.get(name)
    if (request.method !== 'GET' || ['policy', 'versions'].includes(part)) return unsupported(request)
    if (found === undefined) return notFound('CertificateNotFound')
    if (part === 'pending') return json(200, { ...pending(url, 'completed'), target: url })
    const { version, der, policy, tags } = found
    if (part !== '' && part !== version) return notFound('CertificateNotFound')
    const { validFrom, validTo } = new crypto.X509Certificate(der)
    const [nbf, exp] = [validFrom, validTo].map((date) => Date.parse(date) / 1000)
    return json(200, {
      id: `${url}/${version}`,
      kid: `${origin}/keys/${name}/${version}`,
      sid: `${origin}/secrets/${name}/${version}`,
      x5t: crypto.createHash('sha1').update(der).digest('base64url'),
      cer: der.toString('base64'),
      attributes: { enabled: true, nbf, exp, created: nbf, updated: nbf },
      policy: { ...Object(policy), id: `${url}/policy` },
      tags,
    })
  }

  const parts = new Map<string, readonly [names: () => Iterable<string>, respond: Respond]>([
    ['secrets', [() => secrets.keys(), respondWithSecret]],
    ['keys', [() => new Set([...seeded, ...keys.keys()]), respondWithKey]],
    ['certificates', [() => certificates.keys(), respondWithCertificate]],
  ])

  return (request) => {
    const [kind = '', given, ...rest] = request.path.split('/').filter((part) => part !== '')
    const [names, respond] = parts.get(kind) ?? []
    if (names === undefined || respond === undefined) return kind === '' ? notFound('NotFound') : unsupported(request)
    if (given !== undefined) return respond(request, given.toLowerCase(), rest)
    if (request.method !== 'GET') return unsupported(request)
    const id = kind === 'keys' ? 'kid' : 'id'
    const value = [...names()].map((name) => ({
      [id]: `${request.origin}/${kind}/${name}`,
      attributes: { enabled: true },
    }))
    return json(200, { value, nextLink: null })
  }
}
