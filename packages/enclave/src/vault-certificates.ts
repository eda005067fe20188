import { createHash, webcrypto, X509Certificate } from 'node:crypto'
import type { Context } from './context.ts'
import { type EnclaveRequest, type EnclaveResponse, json, jsonOf } from './http/exchange.ts'
import { notFound, refuse, unsupported } from './vault-refusals.ts'

interface Certificate {
  readonly version: string
  readonly der: Buffer
  /** As the client sent it. */
  readonly policy: unknown
  readonly tags?: unknown
}

/** Called with each new version, whose key and secret have the same name and version. */
type Keep = (name: string, version: string, privateKeyPem: string, certificatePem: string, contentType: string) => void

const field = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce((each, name) => (each as Readonly<Record<string, unknown>> | null | undefined)?.[name], value)
const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', publicExponent: Buffer.of(1, 0, 1) }

/** The certificates of a vault: `example`, and what its own issuer (`Self`) signs at once. */
export function createVaultCertificates({ ca, certificatePem }: Context, newVersion: () => string, keep: Keep) {
  /** The latest version of each. */
  const certificates = new Map<string, Certificate>()
  const write = (name: string, pem: string, given: Omit<Certificate, 'der'>) =>
    certificates.set(name, { ...given, der: new X509Certificate(pem).raw })
  write('example', certificatePem, { version: '00000000000000000000000000000001', policy: {} })

  const create = async (request: EnclaveRequest, name: string, url: string): Promise<EnclaveResponse> => {
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
    const keys = await webcrypto.subtle.generateKey({ ...algorithm, modulusLength }, true, ['sign'])
    const notAfter = new Date(Date.now() + months * 30 * 24 * 3_600_000)
    const wanted = { commonName, usage: 'server', names, keys, notAfter, selfSigned: true } as const
    const issued = await ca.issue(wanted).catch(() => undefined)
    if (issued === undefined) return invalid
    const version = newVersion()
    write(name, issued.certificatePem, { version, policy, tags })
    const wantedType = field(policy, 'secret_props', 'contentType')
    const contentType = typeof wantedType === 'string' ? wantedType : 'application/x-pkcs12'
    keep(name, version, issued.privateKeyPem, issued.certificatePem, contentType)
    return json(202, operation(url, 'inProgress'), { location: `${url}/pending` })
  }
  const operation = (url: string, status: string) => ({ id: `${url}/pending`, issuer: { name: 'Self' }, status })

  return {
    names: () => certificates.keys(),
    respond: (request: EnclaveRequest, origin: string, name: string, [part = '']: readonly string[]) => {
      const url = `${origin}/certificates/${name}`
      if (request.method === 'POST' && part === 'create') return create(request, name, url)
      const found = certificates.get(name)
      if (request.method !== 'GET' || ['policy', 'versions'].includes(part)) return unsupported(request)
      if (found === undefined) return notFound('CertificateNotFound')
      if (part === 'pending') return json(200, { ...operation(url, 'completed'), target: url })
      const { version, der, policy, tags } = found
      if (part !== '' && part !== version) return notFound('CertificateNotFound')
      const { validFrom, validTo } = new X509Certificate(der)
      const [nbf, exp] = [validFrom, validTo].map((date) => Date.parse(date) / 1000)
      return json(200, {
        id: `${url}/${version}`,
        kid: `${origin}/keys/${name}/${version}`,
        sid: `${origin}/secrets/${name}/${version}`,
        x5t: createHash('sha1').update(der).digest('base64url'),
        cer: der.toString('base64'),
        attributes: { enabled: true, nbf, exp, created: nbf, updated: nbf },
        policy: { ...Object(policy), id: `${url}/policy` },
        tags,
      })
    },
  }
}
