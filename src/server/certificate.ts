import type { X509Certificate, KeyObject } from 'node:crypto'
import type { SecureContextOptions } from 'node:tls'

import { beginOf, builtinModule, conversionHint, endOf } from '../lib/base/certificates.ts'
import { errorCode, readRegularFile } from '../lib/base/files.ts'
import type { WriteLog } from './log.ts'
import { StartError, messageOf } from './start-error.ts'
import { identify, watchFiles } from './watch-files.ts'

/** The paths of the server's certificate, with its chain, and of its private key. Both are PEM files. */
export interface CertificateFiles {
  readonly certificatePath: string
  readonly keyPath: string
}

/** TLS 1.3, or TLS 1.2 with forward secrecy and authenticated encryption. A FIPS build of OpenSSL has these ciphers too. */
const protocol = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_256_GCM_SHA384',
    'TLS_AES_128_GCM_SHA256',
    'TLS_CHACHA20_POLY1305_SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
  ].join(':'),
  honorCipherOrder: true,
} satisfies SecureContextOptions & { honorCipherOrder: boolean }

const maxBytes = 256 * 1024

/** A certificate and private key that the server can use. */
export interface Certificate {
  readonly options: SecureContextOptions
  /** Differs after a change of either file. */
  readonly identity: string
}

/**
 * Reads the certificate and its private key, and checks that the server can use them.
 *
 * @throws {StartError} `TLS_INVALID` that names the file and quotes nothing from it.
 */
export async function readCertificate(files: CertificateFiles): Promise<Certificate> {
  const { certificatePath, keyPath } = files
  // Identify the files first, so that the next poll notices a change while they are read.
  const identity = await identify([certificatePath, keyPath])
  const [cert, key] = [certificatePath, keyPath].map(readPem) as [Buffer, Buffer]
  const certificate = readLeaf(cert, certificatePath)
  const privateKey = readKey(key, keyPath)
  if (endOf(certificate) < Date.now()) {
    throw invalid(`The certificate in ${certificatePath} expired on ${certificate.validTo}. Renew it.`)
  }
  const begin = beginOf(certificate)
  if (begin > Date.now()) {
    throw invalid(`The certificate in ${certificatePath} is not valid before ${new Date(begin).toISOString()}.`)
  }
  // OpenSSL accepts a key whose type differs from the certificate's type, so the key is compared here.
  if (!certificate.checkPrivateKey(privateKey)) {
    const rule = `does not match the certificate in ${certificatePath}. Replace one of them with its counterpart.`
    throw invalid(`The private key in ${keyPath} ${rule}`)
  }
  const options = { ...protocol, cert, key }
  // Loaded on demand, because TLS takes 5 MB of memory.
  const { createSecureContext } = await import('node:tls')
  try {
    createSecureContext(options)
  } catch (error) {
    throw invalid(`${certificatePath} and ${keyPath} cannot be served: the pair ${unusable(error)}`, error)
  }
  return { options, identity }
}

/**
 * Reads the certificate again after a change of its files, and serves it as soon as it is valid. An unusable certificate is logged once, and
 * the server keeps the current one.
 *
 * @returns A function that stops watching.
 */
export function watchCertificate(
  files: CertificateFiles,
  inForce: Certificate,
  serve: (options: SecureContextOptions) => void,
  log: WriteLog,
): () => void {
  const { certificatePath, keyPath } = files
  return watchFiles([certificatePath, keyPath], inForce.identity, {
    what: 'certificate',
    log,
    async onChange() {
      serve((await readCertificate(files)).options)
      log({ level: 'info', category: 'server', message: `The server uses the new certificate in ${certificatePath}.` })
    },
  })
}

function readPem(path: string): Buffer {
  try {
    return readRegularFile(path, maxBytes)
  } catch (error) {
    throw invalid(`${path} cannot be read: ${messageOf(error)}.`, error)
  }
}

const certificateBlocks = /-----BEGIN [A-Z0-9 ]*CERTIFICATE-----[^-]*(?:-----END [A-Z0-9 ]*-----)?/g

/** The first certificate in a file. Parses all of them, because OpenSSL would report a truncated chain as an error of the key. */
function readLeaf(pem: Buffer, path: string): X509Certificate {
  const { X509Certificate: Certificate } = builtinModule('node:crypto')
  const blocks = pem.toString('latin1').match(certificateBlocks) ?? []
  const [leaf] = blocks.map((block, index) => {
    try {
      return new Certificate(block)
    } catch (error) {
      throw invalid(`Certificate ${index + 1} in ${path} cannot be read. Write the whole file again.`, error)
    }
  })
  if (leaf !== undefined) return leaf
  throw invalid(withHint(`${path} has no PEM certificate.`, conversionHint(pem, path, 'certificate')))
}

function readKey(pem: Buffer, path: string): KeyObject {
  const { createPrivateKey, getFips } = builtinModule('node:crypto')
  if (pem.includes('ENCRYPTED')) {
    const command = `openssl pkcs8 -topk8 -nocrypt -in ${path} -out new.key`
    const where = getFips() === 1 ? ', on a machine without FIPS mode if the key uses 3DES, MD5 or scrypt' : ''
    const problem = `The private key in ${path} is encrypted, and the server has no setting for its password.`
    throw invalid(`${problem} Convert the key with "${command}"${where}.`)
  }
  try {
    return createPrivateKey(pem)
  } catch (error) {
    const isUnsupported = /^ERR_OSSL_(EVP_UNSUPPORTED|EC_)/.test(errorCode(error) ?? '')
    if (isUnsupported) throw invalid(`The private key in ${path} ${unusable(error)}`, error)
    throw invalid(withHint(`${path} has no PEM private key.`, conversionHint(pem, path, 'key')), error)
  }
}

const withHint = (problem: string, hint: string | undefined) => (hint === undefined ? problem : `${problem} ${hint}`)
const invalid = (problem: string, cause?: unknown) => new StartError('TLS_INVALID', problem, { cause })

/** Completes a sentence about a key. */
function unusable(error: unknown): string {
  const version = process.versions.openssl + (builtinModule('node:crypto').getFips() === 1 ? ', FIPS' : '')
  return `is not usable with this OpenSSL (${version}). Use RSA with 2048 bits or more, or P-256 (${errorCode(error) ?? messageOf(error)}).`
}
