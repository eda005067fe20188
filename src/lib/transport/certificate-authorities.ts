import type { X509Certificate } from 'node:crypto'
import type * as tls from 'node:tls'
import { builtinModule } from '../base/builtin-module.ts'
import { readVariable, type Env } from '../base/env.ts'
import { parseCertificates, longestAuthorities, pemCertificates } from '../base/certificates.ts'
import { errorCode, FileProblem, isWideText, readRegularFile, wideTextProblem } from '../base/files.ts'

export const trustVariables = ['NODE_EXTRA_CA_CERTS', 'NODE_USE_SYSTEM_CA', 'NODE_OPTIONS=--use-system-ca'] as const

/** What happened to a variable that adds authorities. */
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

/** The outcome of one variable that adds certificate authorities. */
export interface AddedAuthorities {
  readonly variable: (typeof trustVariables)[number]
  readonly status: (typeof trustStatuses)[number]
  /** How many certificates the file or store contains. */
  readonly certificates: number
  /** Why a file cannot be read or used, such as `ENOENT`. */
  readonly reason?: string
}

type Optional = 'getCACertificates' | 'setDefaultCACertificates'

/** Node lists its certificates from 22.15 on, and lets a process change the list from 22.19 and 24.5 on. */
const loadTls = (): Omit<typeof tls, Optional> & Partial<Pick<typeof tls, Optional>> => builtinModule('node:tls')

/** Certificates that {@link loadAuthorities} added, by their text without spaces. */
const loaded = new Map<string, string>()
/** For releases of Node that do not let a process change its default. */
let context: tls.SecureContext | undefined

/** The certificates that connections trust if they name none. */
function trustedByDefault(): readonly string[] {
  const { getCACertificates, rootCertificates } = loadTls()
  return getCACertificates?.('default') ?? rootCertificates
}

/** How many certificate authorities the connections of this service trust. */
export function trustedCount(): number {
  return new Set([...trustedByDefault().map(withoutSpaces), ...loaded.keys()]).size
}

/** Options of a TLS connection. Without them a connection trusts what Node trusts by default. */
export function trustOptions(): { readonly secureContext?: tls.SecureContext } {
  return context === undefined ? {} : { secureContext: context }
}

/**
 * Makes NODE_EXTRA_CA_CERTS and NODE_USE_SYSTEM_CA effective. Node reads them at its own start, but a worker that a platform keeps warm
 * gets its variables later. This changes the whole process, so the library never calls it.
 */
export function loadAuthorities(env: Env): void {
  const sources = readSources(env)
  if (sources.length === 0) return
  const trusted = trustedByDefault()
  const known = new Set([...trusted.map(withoutSpaces), ...loaded.keys()])
  const missing = sources
    .flatMap(({ certificates }) => certificates)
    .filter((certificate) => !known.has(withoutSpaces(certificate)))
  if (missing.length === 0) return
  for (const certificate of missing) loaded.set(withoutSpaces(certificate), certificate)
  const { createSecureContext, setDefaultCACertificates } = loadTls()
  if (setDefaultCACertificates === undefined) context = createSecureContext({ ca: [...trusted, ...loaded.values()] })
  else setDefaultCACertificates([...trusted, ...missing])
}

/**
 * The outcome of each variable in a process that had them when it started, as a command has. Node has read the file then, so no
 * certificate is parsed: that takes longer than a short command.
 */
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

/** The outcome of each variable that is set. */
export function addedAuthorities(env: Env): AddedAuthorities[] {
  const sources = readSources(env)
  if (sources.length === 0) return []
  const known = new Set(trustedByDefault().map(withoutSpaces))
  return sources.map(({ variable, certificates, problem, reason }) => ({
    variable,
    status: problem ?? statusOf(certificates.map(withoutSpaces), known),
    certificates: certificates.length,
    ...(reason === undefined ? {} : { reason }),
  }))
}

/** The certificates in the file of NODE_EXTRA_CA_CERTS. */
export function extraAuthorities(env: Env): X509Certificate[] {
  const path = readVariable(env, 'NODE_EXTRA_CA_CERTS')
  return path === undefined ? [] : parseCertificates(readFile(path).certificates.join('\n'))
}

/** The outcome of a variable that adds certificate authorities, in one phrase. */
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

/** @param find Default finds the certificates that Node can parse. */
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
