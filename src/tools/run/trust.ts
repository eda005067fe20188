import { longestAuthorities, parseCertificates } from '../../lib/base/certificates.ts'
import { readRegularFile } from '../../lib/base/files.ts'
import { createHash, type X509Certificate } from 'node:crypto'
import * as tls from 'node:tls'
import { readVariable, type Env } from '../../lib/base/env.ts'
import { ServiceError } from '../../lib/errors.ts'

/** The variables that add certificate authorities of the operator. */
const operatorVariables = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE'] as const

/** The variables that name a file of trusted certificates, by the programs that read them. */
export const trustVariables = [
  // Node
  'NODE_EXTRA_CA_CERTS',
  // OpenSSL, Go, .NET, Ruby, rustls
  'SSL_CERT_FILE',
  // Python: requests, pip, httplib2; gRPC reads only the last one
  'REQUESTS_CA_BUNDLE',
  'PIP_CERT',
  'HTTPLIB2_CA_CERTS',
  'GRPC_DEFAULT_SSL_ROOTS_FILE_PATH',
  // curl and libcurl; DuckDB reads only the second one
  'CURL_CA_BUNDLE',
  'CURL_CA_INFO',
  'GIT_SSL_CAINFO',
  'CARGO_HTTP_CAINFO',
  'npm_config_cafile',
  'DENO_CERT',
  'AWS_CA_BUNDLE',
  'NIX_SSL_CERT_FILE',
] as const

/** The certificate authorities that the program trusts: ours, the operator's, and the system's. */
export function trustedCertificates(own: string, env: Env): readonly X509Certificate[] {
  const operators = operatorVariables.map((name) => readOperators(name, env))
  const system = list?.('system') ?? []
  // If the system has no authorities, programs trust their own, so Node's are used.
  const texts = [own, ...operators, ...(system.length > 0 ? system : tls.rootCertificates)]
  const all = texts.flatMap((pem) => parseCertificates(pem))
  return [...new Map(all.map((certificate) => [certificate.fingerprint256, certificate])).values()]
}

function readOperators(name: string, env: Env): string {
  const path = readVariable(env, name)
  if (path === undefined) return ''
  try {
    return readRegularFile(path, longestAuthorities).toString('latin1')
  } catch (cause) {
    const message = `${name} must name a file of certificates that this user can read`
    throw new ServiceError('SETTING_INVALID', message, { cause })
  }
}

// Absent before Node 22.15.
const { getCACertificates: list }: Partial<Pick<typeof tls, 'getCACertificates'>> = tls

/** The trust store contains no secrets, but Java needs a password to check its digest. */
export const storePassword = 'changeit'

/** A trust store in the format JKS, for every version of Java: entries of name, time and certificate, then a digest (`JavaKeyStore`). */
export function toJavaTrustStore(certificates: readonly X509Certificate[]): Buffer {
  const entries = certificates.map(({ raw }, index) => {
    const head = [number(2), text(`authority-${index}`), number(0), number(0), text('X.509'), number(raw.length)]
    return Buffer.concat([...head, raw])
  })
  const store = Buffer.concat([number(0xfeedfeed), number(2), number(certificates.length), ...entries])
  const password = Buffer.from(storePassword, 'utf16le').swap16()
  const digest = createHash('sha1').update(password).update('Mighty Aphrodite').update(store).digest()
  return Buffer.concat([store, digest])
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function text(value: string): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(value.length)
  return Buffer.concat([length, Buffer.from(value, 'latin1')])
}
