import { longestAuthorities } from '../../lib/base/certificates.ts'
import { readRegularFile } from '../../lib/base/files.ts'
import { createHash, X509Certificate } from 'node:crypto'
import * as tls from 'node:tls'
import { readVariable, type Env } from '../../lib/base/env.ts'
import { ServiceError } from '../../lib/errors.ts'

/** The variables that add certificate authorities of the operator. */
const operatorVariables = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE'] as const

/** The variables that name a file of trusted certificates, by the programs that read them. */
const variablesOfPrograms = [
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

const pem =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g

/**
 * The certificate authorities that the program trusts: ours, the operator's, and the system's.
 *
 * @throws {ServiceError} `SETTING_INVALID` if the file of an operator's variable cannot be read.
 */
export function trustedCertificates(own: readonly string[], env: Env): readonly X509Certificate[] {
  const operators = operatorVariables.flatMap((name) => readOperators(name, env))
  const system = list?.('system') ?? []
  // If the system has no authorities, programs trust their own, so Node's are used.
  const all = [...own, ...operators, ...(system.length > 0 ? system : tls.rootCertificates)].flatMap(parse)
  return [...new Map(all.map((certificate) => [certificate.fingerprint256, certificate])).values()]
}

function readOperators(name: string, env: Env): readonly string[] {
  const path = readVariable(env, name)
  if (path === undefined) return []
  try {
    return readRegularFile(path, longestAuthorities).toString('latin1').match(pem) ?? []
  } catch (cause) {
    throw new ServiceError('SETTING_INVALID', `${name} must name a file of certificates that this user can read`, {
      cause,
    })
  }
}

// Absent before Node 22.15.
const { getCACertificates: list }: Partial<Pick<typeof tls, 'getCACertificates'>> = tls

/** Skips a text that isn't a certificate. */
function parse(text: string): readonly X509Certificate[] {
  try {
    return [new X509Certificate(text)]
  } catch {
    return []
  }
}

export const toPem = (certificates: readonly X509Certificate[]): string =>
  certificates.map((certificate) => certificate.toString()).join('')

/** The variables that make programs trust the certificates in a file. */
export function trustVariables(file: string): Readonly<Record<string, string>> {
  return Object.fromEntries(variablesOfPrograms.map((name) => [name, file]))
}

/** The trust store contains no secrets, but Java needs a password to check its digest. */
export const storePassword = 'changeit'

/**
 * A trust store in the format JKS, which every version of Java can read: entries of name, time and certificate, and then a digest
 * (`sun.security.provider.JavaKeyStore`).
 */
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
