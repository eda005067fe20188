import { ServiceError, type ErrorCode, type Evidence } from '../errors.ts'
import type { FoundCheck } from './found-check.ts'
import { endpointOf, isLocal } from './blame.ts'
import { toDiagnosis } from './diagnosis.ts'
import { printable } from '../base/printable.ts'
import type { Diagnosis, RootCause, MatrixRow } from './report.ts'

/** The input of the root cause. */
export interface Judged {
  readonly checks: readonly FoundCheck[]
  readonly hosts?: readonly Pick<MatrixRow, 'id' | 'host'>[]
  /** The conclusions from all checks. */
  readonly conclusions?: Evidence
}

type Failure = FoundCheck & Diagnosis

/** A failure without a diagnosis is a fault in this service. */
const unexplained = toDiagnosis(new ServiceError('UNEXPECTED', 'The diagnostics run failed without a diagnosis'))

/** Codes of failures without a known reason: any other failed check explains more. */
const vague: ReadonlySet<string> = new Set<ErrorCode>(['UNEXPECTED', 'TOKEN_TIMEOUT'])

/** Causes that show as other failures: with the first failed, the others are its consequences. */
const consequences: Readonly<Partial<Record<ErrorCode, readonly ErrorCode[]>>> = {
  AUTHORITY_DNS_UNAVAILABLE: ['AUTHORITY_TIMEOUT'],
  RESOURCE_MANAGER_DNS_UNAVAILABLE: ['RESOURCE_MANAGER_TIMEOUT'],
  METADATA_DNS_UNAVAILABLE: ['METADATA_TIMEOUT'],
  SERVICE_DNS_UNAVAILABLE: ['SERVICE_TIMEOUT'],
  AUTHORITY_PROXY_FAILED: ['AUTHORITY_TIMEOUT'],
  RESOURCE_MANAGER_PROXY_FAILED: ['RESOURCE_MANAGER_TIMEOUT'],
  METADATA_PROXY_FAILED: ['METADATA_TIMEOUT'],
  SERVICE_PROXY_FAILED: ['SERVICE_TIMEOUT'],
  CLOCK_SKEW: ['TOKEN_EXPIRED', 'TOKEN_NOT_YET_VALID', 'CLIENT_ASSERTION_REJECTED', 'RESOURCE_MANAGER_REJECTED_TOKEN'],
  CHALLENGE_AUTHORITY_MISMATCH: ['RESOURCE_MANAGER_REJECTED_TOKEN'],
  CHALLENGE_AUDIENCE_MISMATCH: ['RESOURCE_MANAGER_REJECTED_TOKEN', 'RESOURCE_UNKNOWN', 'SCOPE_INVALID'],
  TOKEN_AUDIENCE_MISMATCH: ['RESOURCE_MANAGER_REJECTED_TOKEN'],
  TOKEN_TENANT_MISMATCH: ['RESOURCE_MANAGER_REJECTED_TOKEN'],
  TOKEN_EXPIRED: ['RESOURCE_MANAGER_REJECTED_TOKEN'],
  TOKEN_NOT_YET_VALID: ['RESOURCE_MANAGER_REJECTED_TOKEN'],
}

/** Evidence that identifies one cause at several hosts: two hosts with certificates of one CA have one cause. */
const identifying = ['issuer', 'selfSigned', 'proxy'] as const

/**
 * The root cause of a failed report: why there is no token, else the first failed check, in the words and with the values of the check
 * with the most evidence. A cause that shows at several hosts is reported once.
 */
export function findRootCause({ checks, hosts = [], conclusions = {} }: Judged): RootCause {
  const failed = checks.flatMap((check) => (check.status === 'fail' ? [{ ...unexplained, ...check }] : []))
  const symptom =
    failed.find(({ id, code }) => id === 'token.acquired' && !vague.has(code)) ?? failed.find(isTelling) ?? failed[0]
  if (symptom === undefined) return { ...unexplained, checks: [] }
  const root = failed.find(({ code }) => consequences[code]?.includes(symptom.code) === true) ?? symptom
  const same = failed.filter((check) => isSameCause(check, root))
  // The check with the most evidence describes it; the token attempt only knows that a request failed.
  const [witness = root] = same.filter(({ code }) => code === root.code).toSorted((a, b) => weight(b) - weight(a))
  const explained = failed.filter(
    (check) =>
      same.includes(check) ||
      consequences[root.code]?.includes(check.code) === true ||
      vague.has(check.code) ||
      // An authority that is not that of the cloud fails in many ways; the services of the cloud say which one it is.
      (check.code === 'CHALLENGE_AUTHORITY_MISMATCH' && conclusions['authorityToSet'] !== undefined),
  )
  const evidence = { ...signInEvidence(witness, conclusions), ...witness.evidence }
  const names = [...new Set(same.flatMap((check) => hostOf(check, hosts) ?? []))]
  const { code, message, cause, fix } = witness
  const elsewhere = names
    .slice(names.length > 1 ? 0 : 1)
    .filter((name) => !message.includes(name.replace(/:\d+$/, '')) && !message.includes(name))
  return {
    code,
    message: elsewhere.length > 0 ? `${message} (the same at ${elsewhere.join(', ')})` : message,
    cause,
    fix,
    ...(names.length === 0 ? {} : { hosts: names }),
    ...(Object.keys(evidence).length === 0 ? {} : { evidence: shown(evidence) }),
    checks: explained.map(({ id }) => id),
  }
}

const isTelling = ({ code }: Failure): boolean => !vague.has(code)

function weight({ id, evidence = {} }: Failure): number {
  return Object.keys(evidence).length + (id === 'token.acquired' ? 0 : 0.5)
}

function isSameCause(check: Failure, root: Failure): boolean {
  if (!isSameFault(check.code, root.code)) return false
  return identifying.every((name) => {
    const [one, other] = [check.evidence?.[name], root.evidence?.[name]]
    return one === undefined || other === undefined || one === other
  })
}

/** Whether two codes say the same of two hosts. */
export function isSameFault(one: ErrorCode | undefined, other: ErrorCode): boolean {
  return one !== undefined && faultOf(one) === faultOf(other)
}

/** The part of a network code that does not say whose host it is. */
function faultOf(code: ErrorCode): string {
  return (
    /^(?:AUTHORITY|RESOURCE_MANAGER|METADATA|SERVICE)_(DNS_FAILED|DNS_UNAVAILABLE|REFUSED|UNREACHABLE|TIMEOUT|UNTRUSTED|CERTIFICATE_\w+|PROXY_FAILED|TLS_FAILED)$/.exec(
      code,
    )?.[1] ?? code
  )
}

function hostOf(check: Failure, hosts: Judged['hosts'] = []): string | undefined {
  if (isLocal(check.code)) return undefined
  const endpoint = endpointOf(check)
  const own = hosts.find(({ id }) => id === endpoint)?.host
  const named = check.evidence?.['host']
  return own ?? hosts.find(({ host }) => host === named || host.startsWith(`${named}:`))?.host ?? named
}

/** The operator of the login authority finds a refused sign-in by its tenant and application. */
function signInEvidence({ evidence }: Failure, { tenantId, clientId }: Evidence): Evidence {
  if (evidence?.['error'] === undefined) return {}
  return { ...(tenantId === undefined ? {} : { tenantId }), ...(clientId === undefined ? {} : { clientId }) }
}

function shown(evidence: Evidence): Evidence {
  return Object.fromEntries(Object.entries(evidence).map(([name, value]) => [name, printable(value)]))
}
