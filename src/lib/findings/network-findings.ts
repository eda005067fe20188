import type { Facts, Finding, FixRow } from './finding.ts'
import { workedBefore } from './shared-fixes.ts'
import { type FaultText, faults, type NetworkFault, type NetworkRole, subjects } from './network-faults.ts'

/** A network fault of one kind of host, such as `AUTHORITY_UNTRUSTED`. */
export type NetworkErrorCode = `${NetworkRole}_${NetworkFault}`

/** An unreachable identity endpoint most often means a host without an identity. */
const noIdentity = {
  cause:
    'The identity endpoint of this host does not respond, or returns 404. Most often the host has no managed identity.',
  fix: 'Assign a managed identity to the function app, machine or pod and restart it, or set AUTH_MODE to a mode that this host supports.',
} satisfies Partial<Finding>

/** The reasons differ by layer: dropped packets, a closed port, and a path that is not there. */
const identityFixes: Readonly<Partial<Record<NetworkFault, FixRow>>> = {
  TIMEOUT: ({ host, reason, ...facts }) =>
    host !== undefined &&
    reason !== undefined &&
    (facts.run.endpoint?.passed === 'tcp'
      ? `Restart the agent of the identity endpoint at ${host}, which accepts connections and sends no response, or restart this host.`
      : `Allow traffic from this process to ${host} (no proxy, no network policy that drops link-local addresses). If the host has no managed identity, assign one, or set AUTH_MODE.`),
  REFUSED: ({ host }) =>
    host !== undefined &&
    `Start the agent of the identity endpoint: nothing listens at ${host}. If the host has no managed identity, assign one and restart it, or set AUTH_MODE to a mode that this host supports.`,
}

/** The platform sets the address of the identity endpoint, so nobody corrects it by hand. */
const notTheIdentity = {
  fix: ({ host }: Facts) =>
    `If IDENTITY_ENDPOINT is among the settings of the app, remove it: the platform sets it. If it is not, restart the app, and ask the operator of the platform which program responds at ${host ?? 'that address'}.`,
} satisfies Partial<Finding>

const unknownIdentity = new Set<NetworkFault>([
  'DNS_FAILED',
  'DNS_UNAVAILABLE',
  'REFUSED',
  'UNREACHABLE',
  'TIMEOUT',
  'NOT_FOUND',
])
const anotherProgram = new Set<NetworkFault>([
  'REDIRECTED',
  'HTTP_ERROR',
  'RESPONSE_TOO_LARGE',
  'RESPONSE_INVALID',
  'TLS_FAILED',
])

const unreachableAuthority: ReadonlySet<NetworkErrorCode> = new Set([
  'AUTHORITY_DNS_FAILED',
  'AUTHORITY_DNS_UNAVAILABLE',
  'AUTHORITY_REFUSED',
  'AUTHORITY_UNREACHABLE',
  'AUTHORITY_TIMEOUT',
  'AUTHORITY_UNTRUSTED',
] as const)

/** The account of a service, whose name may be wrong. */
const unknownAccount = {
  cause:
    'The host name of the account does not resolve: the account does not exist, or its DNS suffix belongs to another cloud.',
  fix: ({ host, run }: Facts) => {
    const correct =
      run.endpoint?.address ??
      'PLATFORM_STORAGE_ACCOUNT or PLATFORM_KEY_VAULT, or the suffix (PLATFORM_STORAGE_DNS_SUFFIX, PLATFORM_KEYVAULT_DNS_SUFFIX)'
    const unknown = host === undefined ? '' : `: no DNS server knows ${host}`
    return `Correct ${correct}${unknown}. A private endpoint needs its private DNS zone.`
  },
  fixes: [
    ({ host, exempted, exemptingEntry, exemptionVariable, run }: Facts) =>
      exempted !== undefined &&
      `If the proxy of ${exempted} knows ${host}, remove ${exemptingEntry} from ${exemptionVariable}. If not, correct ${run.endpoint?.address}. A private endpoint needs its private DNS zone.`,
  ],
  symptoms: ['Token acquisition failed'],
} satisfies Partial<Finding>

/** One finding for each fault of each kind of host. */
export const networkFindings: Readonly<Record<NetworkErrorCode, Finding>> = Object.fromEntries(
  Object.entries(subjects).flatMap(([name, subject]) =>
    Object.entries<FaultText>(faults).map(([each, text]) => {
      const [role, fault] = [name as NetworkRole, each as NetworkFault]
      return [`${role}_${fault}`, findingOf(role, fault, subject, text)] as const
    }),
  ),
) as Record<NetworkErrorCode, Finding>

function findingOf(
  role: NetworkRole,
  fault: NetworkFault,
  subject: (typeof subjects)[NetworkRole],
  { title, cause, fix, fixes }: FaultText,
): Finding {
  const code: NetworkErrorCode = `${role}_${fault}`
  const general: Finding = {
    title: title(subject),
    cause: cause(subject),
    fix: (facts) => fix(subject, facts),
    fixes: fixes?.(subject) ?? [],
    ...(unreachableAuthority.has(code) ? { symptoms: ['Network request failed at credential use'] } : {}),
  }
  if (role === 'SERVICE' && fault === 'DNS_FAILED') {
    return { ...general, ...unknownAccount, fixes: [workedBefore, ...unknownAccount.fixes] }
  }
  if (role !== 'IDENTITY_ENDPOINT') return general
  const { [fault]: row } = identityFixes
  const { fixes: _network, ...identity } = general
  if (unknownIdentity.has(fault)) return { ...identity, ...noIdentity, ...(row && { fixes: [row] }) }
  return anotherProgram.has(fault) ? { ...identity, ...notTheIdentity } : general
}
