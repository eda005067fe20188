import type * as crypto from 'node:crypto'
import type { X509Certificate } from 'node:crypto'
import type * as https from 'node:https'
import { createRequire } from 'node:module'
import type * as tls from 'node:tls'

interface Modules {
  readonly 'node:crypto': typeof crypto
  readonly 'node:https': typeof https
  readonly 'node:tls': typeof tls
}

/** Loads a module of Node on first use: TLS and cryptography take 8 MB and a third of a short command. A method of `process` needs Node 22.3. */
export const builtinModule = <K extends keyof Modules>(name: K) =>
  (load ??= createRequire(process.execPath))(name) as Modules[K]

let load: NodeJS.Require | undefined

// Milliseconds since the epoch. `validFromDate` and `validToDate` need Node 22.10.
export const beginOf = ({ validFrom }: X509Certificate): number => Date.parse(validFrom)
export const endOf = ({ validTo }: X509Certificate): number => Date.parse(validTo)

/** A certificate that expires within this many days is a warning. */
export const renewalDays = 30

const pemCertificate =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g

/** The certificates in a PEM text, as PEM. Checks only their form, base64 of a complete ASN.1 structure, because parsing is slow. */
export function pemCertificates(pem: string): string[] {
  return (pem.match(pemCertificate) ?? []).filter((text) => {
    const der = Buffer.from(text.replaceAll(/-----[^-]+-----/g, ''), 'base64')
    return der.length > 4 && der.readUInt16BE(0) === 0x3082 && der.readUInt16BE(2) + 4 <= der.length
  })
}

/** Parses the certificates in a PEM text. Skips an unreadable certificate, as Node and OpenSSL do in a file of authorities. */
export function parseCertificates(pem: string): X509Certificate[] {
  const { X509Certificate: Certificate } = builtinModule('node:crypto')
  return (pem.match(pemCertificate) ?? []).flatMap((text) => {
    try {
      return [new Certificate(text)]
    } catch {
      return []
    }
  })
}

type FileKind = 'DER' | 'PKCS #7' | 'PKCS #12'

/** The `openssl` command that converts a file of each kind to PEM. */
const commands: Readonly<Record<'certificate' | 'key' | 'both', Readonly<Partial<Record<FileKind, string>>>>> = {
  certificate: { DER: 'x509 -inform der', 'PKCS #7': 'pkcs7 -print_certs', 'PKCS #12': 'pkcs12 -nokeys' },
  key: { DER: 'pkey -inform der', 'PKCS #12': 'pkcs12 -nocerts -noenc' },
  both: { 'PKCS #12': 'pkcs12 -noenc' },
}

/** The kind of a file without a PEM certificate or key. PKCS #12 begins with a structure that has version 3; any other structure is DER. */
function certificateFileKind(content: Buffer): FileKind | undefined {
  if (content.includes('-----BEGIN PKCS7-----')) return 'PKCS #7'
  if (content[0] !== 0x30) return undefined
  const lengthOfLength = (content[1] ?? 0) > 0x80 ? (content[1] ?? 0) - 0x80 : 0
  const body = content.subarray(2 + lengthOfLength)
  return body.subarray(0, 3).equals(Buffer.from([2, 1, 3])) ? 'PKCS #12' : 'DER'
}

/** A sentence with the command that converts a file to PEM. `undefined` if no command does. @param wanted What the file should contain. */
export function conversionHint(content: Buffer, path: string, wanted: keyof typeof commands): string | undefined {
  const kind = certificateFileKind(content)
  const command = kind && commands[wanted][kind]
  if (command === undefined) return undefined
  // In FIPS mode, OpenSSL can't verify the checksum of PKCS #12.
  const option = kind === 'PKCS #12' && builtinModule('node:crypto').getFips() === 1 ? ' -nomacver' : ''
  return `It is in ${kind}: convert it with "openssl ${command}${option} -in ${path} -out new.pem".`
}

/** The size limit of a file of certificate authorities, in bytes: a hundred times the size of all public ones. */
export const longestAuthorities = 16 * 1024 * 1024
