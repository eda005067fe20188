import { X509Certificate, createPrivateKey, getFips, type KeyObject } from 'node:crypto'
import type { SecureContextOptions } from 'node:tls'

import { beginOf, certificateFileKind, conversionHint, endOf } from '../lib/base/certificates.ts'
import { errorCode, isWideText, readRegularFile, wideTextProblem } from '../lib/base/files.ts'
import type { WriteLog } from './log.ts'
import { StartError, messageOf } from './start-error.ts'
import { identify, watchFiles } from './watch-files.ts'

/** Where the server's certificate (with the chain it presents) and its private key are, both PEM. */
export interface CertificateFiles {
  readonly certificatePath: string
  readonly keyPath: string
}

/** TLS 1.2 with forward secrecy and authenticated encryption, or TLS 1.3; also in a FIPS build of OpenSSL. */
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

/** A pair that can be served. */
export interface Certificate {
  readonly options: SecureContextOptions
  /** Names the state of both files: it differs after a change of either. */
  readonly identity: string
  /** Milliseconds since 1970. */
  readonly validFrom: number
}

/**
 * Reads the pair and makes sure that it can be served.
 *
 * @throws {StartError} `TLS_INVALID`, naming the file. Nothing of its content is echoed.
 */
export async function readCertificate(files: CertificateFiles): Promise<Certificate> {
  const { certificatePath, keyPath } = files
  // Identify them first, so that a change during the reading is noticed later.
  const identity = await identify([certificatePath, keyPath])
  const [cert, key] = [certificatePath, keyPath].map(readPem) as [Buffer, Buffer]
  if (holdsKey(cert) && holdsCertificate(key) && !holdsKey(key)) {
    throw invalid(
      `${certificatePath} contains the private key, and ${keyPath} the certificate. Exchange the two paths.`,
    )
  }
  const certificate = readLeaf(cert, certificatePath)
  const privateKey = readKey(key, keyPath)
  if (endOf(certificate) < Date.now()) {
    throw invalid(`The certificate in ${certificatePath} expired on ${certificate.validTo}. Renew it.`)
  }
  const options = { ...protocol, cert, key }
  // Loaded where it is needed only: TLS takes 5 MB of memory.
  const { createSecureContext } = await import('node:tls')
  let refused: unknown
  try {
    createSecureContext(options)
  } catch (error) {
    refused = error
  }
  // OpenSSL accepts a key of another type than the certificate's, and refuses kinds of keys that it can't compare.
  const isMismatch = errorCode(refused) === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH'
  if (refused !== undefined && !isMismatch) {
    throw invalid(`${certificatePath} and ${keyPath} cannot be served: the pair ${unusable(refused)}`, refused)
  }
  if (isMismatch || !certificate.checkPrivateKey(privateKey)) {
    const rule = `does not match the certificate in ${certificatePath}. Replace one of them with its counterpart.`
    throw invalid(`The private key in ${keyPath} ${rule}`, refused)
  }
  return { options, identity, validFrom: beginOf(certificate) }
}

/**
 * Reads the pair again whenever one of the files has changed, and serves it from the time at which it becomes valid. An invalid pair is
 * reported once, and the current pair stays in force.
 *
 * @returns A function that ends it.
 */
export function watchCertificate(
  files: CertificateFiles,
  inForce: Certificate,
  serve: (options: SecureContextOptions) => void,
  log: WriteLog,
): () => void {
  const { certificatePath, keyPath } = files
  let next: Certificate | undefined
  return watchFiles([certificatePath, keyPath], inForce.identity, {
    async onChange() {
      next = undefined
      next = await readCertificate(files)
      if (next.validFrom <= Date.now()) return
      const from = new Date(next.validFrom).toISOString()
      const message = `The new certificate in ${certificatePath} becomes valid at ${from}. The previous one stays in force until then.`
      log({ level: 'warning', category: 'server', message })
    },
    onFailure(error) {
      const message = `The previous certificate stays in force: the new one can't be served. ${messageOf(error)}`
      log({ level: 'error', category: 'server', message })
    },
    onPoll() {
      if (next === undefined || next.validFrom > Date.now()) return
      serve(next.options)
      next = undefined
      log({ level: 'info', category: 'server', message: `Serving the new certificate of ${certificatePath}.` })
    },
  })
}

function readPem(path: string): Buffer {
  let pem: Buffer
  try {
    pem = readRegularFile(path, maxBytes)
  } catch (error) {
    throw invalid(`${path} cannot be read: ${messageOf(error)}.`, error)
  }
  if (pem.length === 0) throw invalid(`${path} is empty. Write the PEM file again.`)
  // A DER file looks like UTF-16 too.
  if (certificateFileKind(pem) === undefined && isWideText(pem)) throw invalid(`${path} ${wideTextProblem}.`)
  return pem
}

const certificateBlocks = /-----BEGIN [A-Z0-9 ]*CERTIFICATE-----[^-]*(?:-----END [A-Z0-9 ]*-----)?/g

/** The first certificate of a file. Reads every one, because OpenSSL blames the key for a truncated chain. */
function readLeaf(pem: Buffer, path: string): X509Certificate {
  const none = withHint(`${path} has no PEM certificate.`, conversionHint(pem, path, 'certificate'))
  const blocks = pem.toString('latin1').match(certificateBlocks) ?? []
  const [leaf] = blocks.map((block, index) => {
    try {
      return new X509Certificate(block)
    } catch (error) {
      throw invalid(
        index === 0 ? none : `Certificate ${index + 1} in ${path} cannot be read. Write the whole file again.`,
        error,
      )
    }
  })
  if (leaf === undefined) throw invalid(none)
  return leaf
}

function readKey(pem: Buffer, path: string): KeyObject {
  if (pem.includes('ENCRYPTED')) {
    const command = `openssl pkcs8 -topk8 -nocrypt -in ${path} -out new.key`
    const where = getFips() === 1 ? ', on a machine outside of FIPS mode if the key uses 3DES, MD5 or scrypt' : ''
    const problem = `The private key in ${path} has a password, and the server has none for it.`
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

const holdsKey = (pem: Buffer) => /-----BEGIN ([A-Z]+ )*PRIVATE KEY-----/.test(pem.toString('latin1'))
const holdsCertificate = (pem: Buffer) => pem.includes('-----BEGIN CERTIFICATE-----')
const withHint = (problem: string, hint: string | undefined) => (hint === undefined ? problem : `${problem} ${hint}`)
const invalid = (problem: string, cause?: unknown) => new StartError('TLS_INVALID', problem, { cause })

/** The rest of a sentence about a key. */
function unusable(error: unknown): string {
  const { openssl } = process.versions
  const code = errorCode(error)
  const version = `${openssl}${getFips() === 1 ? ', FIPS' : ''}`
  return `is not usable with this OpenSSL (${version}). Use RSA with 2048 bits or more, or P-256${code === undefined ? '' : ` (${code})`}.`
}
