import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import {
  BasicConstraintsExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'
import {
  type CertificateRequest,
  type IssuedCertificate,
  type Signer,
  ecdsa,
  generateKeys,
  issueCertificate,
  keyIdentifiers,
  pemOf,
  privateKeyPemOf,
  validity,
} from './certificate.ts'

/** A private root with one intermediate beneath it, which signs every certificate. */
export interface CertificateAuthority {
  /** The root: the one certificate a client must trust. */
  readonly certificatePem: string
  /** The root's key, so that another process can load the same authority. PKCS #8. */
  readonly privateKeyPem: string
  issue(request: CertificateRequest): Promise<IssuedCertificate>
}

export interface CertificateAuthorityOptions {
  /** Common name of a new root. Default is `Enclave Root`. */
  readonly commonName?: string
  /** Loads an existing root instead of making one. The intermediate is made anew: servers send it. */
  readonly from?: { readonly certificatePem: string; readonly privateKeyPem: string }
}

/**
 * Makes a private certificate authority (P-256), or loads one from its PEMs.
 *
 * @throws {Error} If `from` is not a certificate and a PKCS #8 P-256 key.
 */
export async function createCertificateAuthority(
  options: CertificateAuthorityOptions = {},
): Promise<CertificateAuthority> {
  const root = options.from ? await loadSigner(options.from) : await createRoot(options.commonName ?? 'Enclave Root')
  const intermediate = await createIntermediate(root)
  return {
    certificatePem: pemOf(root.certificate),
    privateKeyPem: await privateKeyPemOf(root.key),
    issue: (request) => issueCertificate(intermediate, request),
  }
}

async function createRoot(commonName: string): Promise<Signer> {
  const keys = await generateKeys()
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${commonName}`,
    keys,
    ...validity(),
    signingAlgorithm: ecdsa,
    extensions: [...authority(), await SubjectKeyIdentifierExtension.create(keys.publicKey)],
  })
  return { certificate, key: keys.privateKey }
}

async function createIntermediate(root: Signer): Promise<Signer> {
  const keys = await generateKeys()
  const certificate = await X509CertificateGenerator.create({
    subject: 'CN=Enclave Issuing Authority',
    issuer: root.certificate.subject,
    publicKey: keys.publicKey,
    signingKey: root.key,
    ...validity(),
    signingAlgorithm: ecdsa,
    extensions: [...authority(0), ...(await keyIdentifiers(root, keys))],
  })
  return { certificate, key: keys.privateKey }
}

async function loadSigner(pems: { certificatePem: string; privateKeyPem: string }): Promise<Signer> {
  const [der] = PemConverter.decode(pems.privateKeyPem)
  if (der === undefined) throw new Error('The private key of the certificate authority is not a PEM.')
  const key = await webcrypto.subtle.importKey('pkcs8', der, ecdsa, true, ['sign'])
  return { certificate: new X509Certificate(pems.certificatePem), key }
}

function authority(pathLength?: number): Extension[] {
  return [
    new BasicConstraintsExtension(true, pathLength, true),
    new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
  ]
}
