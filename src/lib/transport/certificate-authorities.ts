import type { X509Certificate } from 'node:crypto'
import type * as tls from 'node:tls'
import { readVariable, type Env } from '../base/env.ts'
import { builtinModule, parseCertificates, longestAuthorities, pemCertificates } from '../base/certificates.ts'
import { errorCode, FileProblem, isWideText, readRegularFile, wideTextProblem } from '../base/files.ts'

export const trustVariables = ['NODE_EXTRA_CA_CERTS', 'NODE_USE_SYSTEM_CA', 'NODE_OPTIONS=--use-system-ca'] as const

/** Whether a variable that adds certificate authorities had an effect. */
export const trustStatuses = [
  'read by Node',
  'loaded by the service',
  'file unreadable',
  'file without a certificate',
  // The certificates arrived after the start, or this process may not change what it trusts.
  'not loaded',
  // Node before 22.15 can't read the system store.
  'system store unreadable',
  'system store without a certificate',
] as const

/** The effect of a variable that adds certificate authorities. */
export interface AddedAuthorities {
  readonly variable: (typeof trustVariables)[number]
  readonly status: (typeof trustStatuses)[number]
  /** The number of certificates in the file or store. */
  readonly certificates: number
  /** Why the file can't be read or used, such as `ENOENT`. */
  readonly reason?: string
}

type Optional = 'getCACertificates' | 'setDefaultCACertificates'

/** A process can list its certificates since Node 22.15, and change the list since 22.19 and 24.5. */
const loadTls = (): Omit<typeof tls, Optional> & Partial<Pick<typeof tls, Optional>> => builtinModule('node:tls')

/** The certificates that {@link loadAuthorities} added, by their text without spaces. Bounded by the files that an operator renews. */
const loaded = new Map<string, string>()
/** For releases of Node in which a process can't change its list of certificates. */
let context: tls.SecureContext | undefined

/** The certificates that a connection trusts without options. */
function trustedByDefault(): readonly string[] {
  const { getCACertificates, rootCertificates } = loadTls()
  return getCACertificates?.('default') ?? rootCertificates
}

/** The certificates that the connections of this service trust, without spaces. */
const trustedTexts = () => new Set([...trustedByDefault().map(withoutSpaces), ...loaded.keys()])

/** The number of certificate authorities that the connections of this service trust. */
export const trustedCount = (): number => trustedTexts().size

/** Options that make a TLS connection trust the loaded certificates. */
export function trustOptions(): { readonly secureContext?: tls.SecureContext } {
  return context === undefined ? {} : { secureContext: context }
}

/**
 * Applies NODE_EXTRA_CA_CERTS and NODE_USE_SYSTEM_CA. Node itself reads them only at its start, but a worker that a platform keeps warm gets its
 * variables later. It changes the whole process, so the library never calls it.
 */
export function loadAuthorities(env: Env): void {
  const certificates = readSources(env).flatMap((source) => source.certificates)
  if (certificates.length === 0) return
  const known = trustedTexts()
  const missing = certificates.filter((certificate) => !known.has(withoutSpaces(certificate)))
  if (missing.length === 0) return
  const trusted = trustedByDefault()
  for (const certificate of missing) loaded.set(withoutSpaces(certificate), certificate)
  const { createSecureContext, setDefaultCACertificates } = loadTls()
  if (setDefaultCACertificates === undefined) context = createSecureContext({ ca: [...trusted, ...loaded.values()] })
  else setDefaultCACertificates([...trusted, ...missing])
}

/** The effect of variables that were set at the start, so that Node has read the file. Parsing it would take longer than a short command. */
export function authoritiesAtStart(env: Env): AddedAuthorities[] {
  if (systemVariable(env) !== undefined) {
    loadAuthorities(env)
    return addedAuthorities(env)
  }
  const path = readVariable(env, 'NODE_EXTRA_CA_CERTS')
  if (path === undefined) return []
  const { certificates, problem = 'read by Node', ...source } = readFile(path, pemCertificates)
  return [{ ...source, status: problem, certificates: certificates.length }]
}

/** The effect of each variable that is set. */
export function addedAuthorities(env: Env): AddedAuthorities[] {
  const sources = readSources(env)
  if (sources.length === 0) return []
  const known = trustedTexts()
  return sources.map(({ variable, certificates, problem, reason }) => ({
    variable,
    status: problem ?? statusOf(certificates.map(withoutSpaces), known),
    certificates: certificates.length,
    ...(reason === undefined ? {} : { reason }),
  }))
}

/** Parses the file of NODE_EXTRA_CA_CERTS. */
export function extraAuthorities(env: Env): X509Certificate[] {
  const path = readVariable(env, 'NODE_EXTRA_CA_CERTS')
  return path === undefined ? [] : parseCertificates(readFile(path).certificates.join('\n'))
}

/** The effect of a variable that adds certificate authorities, as a phrase. */
export function describeAdded({ variable, status, certificates, reason }: AddedAuthorities): string {
  if (certificates === 0) return `${variable}: ${status}${reason === undefined ? '' : ` (${reason})`}`
  return `${variable}: ${certificates} ${certificates === 1 ? 'certificate' : 'certificates'} ${status}`
}

function statusOf(certificates: readonly string[], known: ReadonlySet<string>): AddedAuthorities['status'] {
  if (certificates.some((certificate) => loaded.has(certificate))) return 'loaded by the service'
  return certificates.every((certificate) => known.has(certificate)) ? 'read by Node' : 'not loaded'
}

interface Source extends Pick<AddedAuthorities, 'variable' | 'reason'> {
  /** In PEM. */
  readonly certificates: readonly string[]
  readonly problem?: AddedAuthorities['status']
}

function readSources(env: Env): Source[] {
  const path = readVariable(env, 'NODE_EXTRA_CA_CERTS')
  const system = systemVariable(env)
  return [...(path === undefined ? [] : [readFile(path)]), ...(system === undefined ? [] : [readSystem(system)])]
}

function systemVariable(env: Env): AddedAuthorities['variable'] | undefined {
  if (readVariable(env, 'NODE_USE_SYSTEM_CA') === '1') return 'NODE_USE_SYSTEM_CA'
  const options = (readVariable(env, 'NODE_OPTIONS') ?? '').split(/\s+/)
  return options.includes('--use-system-ca') ? 'NODE_OPTIONS=--use-system-ca' : undefined
}

/** @param find Finds the certificates in a text. By default, only those that Node can parse. */
function readFile(path: string, find = (pem: string) => parseCertificates(pem).map(String)): Source {
  const variable = 'NODE_EXTRA_CA_CERTS'
  try {
    const bytes = readRegularFile(path, longestAuthorities)
    const certificates = find(bytes.toString())
    if (certificates.length > 0) return { variable, certificates }
    const reason = isWideText(bytes) ? { reason: wideTextProblem } : {}
    return { variable, certificates, problem: 'file without a certificate', ...reason }
  } catch (error) {
    const reason = error instanceof FileProblem ? error.kind : (errorCode(error) ?? 'unknown error')
    return { variable, certificates: [], problem: 'file unreadable', reason }
  }
}

function readSystem(variable: AddedAuthorities['variable']): Source {
  const certificates = loadTls().getCACertificates?.('system')
  if (certificates === undefined) return { variable, certificates: [], problem: 'system store unreadable' }
  return {
    variable,
    certificates,
    ...(certificates.length === 0 ? { problem: 'system store without a certificate' } : {}),
  }
}

const withoutSpaces = (certificate: string): string => certificate.replaceAll(/\s/g, '')
