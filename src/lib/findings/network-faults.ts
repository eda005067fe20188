import { certificateFaults } from './certificate-faults.ts'
import type { NetworkFault, NetworkRole } from './codes.ts'
import { connectionFaults } from './connection-faults.ts'
import type { Finding, Subject } from './finding.ts'
import { responseFaults } from './response-faults.ts'
import { unlessExempt } from './shared-cases.ts'

export const faults = { ...connectionFaults, ...certificateFaults, ...responseFaults } as const

/** Faults that can have one cause, such as a DNS server or a CA, for several hosts. The cause of a faulty response is always at its host. */
export const sharedFaults: ReadonlySet<string> = new Set(Object.keys({ ...connectionFaults, ...certificateFaults }))

/** The kind of host, by the prefix of a code. */
export const subjects = {
  AUTHORITY: { name: 'the login authority', field: 'authorityHost' },
  RESOURCE_MANAGER: { name: 'the resource manager', field: 'resourceManagerEndpoint' },
  METADATA: { name: 'the metadata endpoint', field: 'metadataEndpoint' },
  IDENTITY_ENDPOINT: { name: 'the identity endpoint of this host', address: 'IDENTITY_ENDPOINT, which the host sets' },
  SERVICE: {
    name: 'the service',
    address: 'the account (PLATFORM_STORAGE_ACCOUNT, PLATFORM_KEY_VAULT) or its DNS suffix in the profile',
  },
} as const satisfies Readonly<Record<string, Subject>>

/** A network fault of one kind of host, such as `AUTHORITY_UNTRUSTED`. */
export type NetworkErrorCode = `${NetworkRole}_${NetworkFault}`

/** If the identity endpoint is unreachable, the host most often has no managed identity. */
const noIdentity = {
  cause: 'Most often this host has no managed identity, so its identity endpoint is silent or returns 404.',
  fix: 'Assign a managed identity to the function app, machine or pod and restart it, or set AUTH_MODE to a mode that this host supports.',
  cases: [],
} as const satisfies Partial<Finding>

/** The network comes first: without a connection, nothing shows whether an identity is assigned. */
const openTheWay =
  'Allow traffic from this process to {host} ({reason}): route, firewall, network policy, no proxy. If IDENTITY_ENDPOINT is among the settings of the app, remove it. If the host has no managed identity, assign one, or set AUTH_MODE.'

/** The platform sets the address of the identity endpoint, so no fix corrects it. */
const notTheIdentity = {
  fix: 'If IDENTITY_ENDPOINT is among the settings of the app, remove it, because the platform sets it. If not, restart the app, and ask the operator of the platform which program responds at {at}.',
  cases: [],
} as const satisfies Partial<Finding>

const accountSettings =
  'PLATFORM_STORAGE_ACCOUNT or PLATFORM_KEY_VAULT, or the suffix (PLATFORM_STORAGE_DNS_SUFFIX, PLATFORM_KEYVAULT_DNS_SUFFIX)'

/** Texts that differ for one kind of host. */
export const exceptions = {
  AUTHORITY_NOT_FOUND: {
    cause:
      'The host of the login authority returned 404: [{authorityHost.open}the path or the tenant in it is wrong, or another service runs there|most often it does not know the tenant in the path].',
    cases: [
      ...faults.NOT_FOUND.cases.slice(0, -1),
      'Correct {tenantId.change}: {at} returned 404 for {path}.{address.proof}',
      'Correct {address.change}[ and the tenant ({tenantId.setting})][: {at} returned 404 for {path}].',
    ],
  },
  SERVICE_DNS_FAILED: {
    cause: 'No account has this host name, or only a private DNS zone knows it.',
    signs: ['Token acquisition failed'],
    subject: { ...subjects.SERVICE, address: accountSettings },
    fix: 'Correct {address.setting}[: no DNS server knows {host}]. A private endpoint needs its private DNS zone.',
    cases: [`${unlessExempt}correct {address.setting}. A private endpoint needs its private DNS zone.`],
  },
  SERVICE_NOT_FOUND: { cause: 'The account does not exist, or another service runs at its address.' },
  IDENTITY_ENDPOINT_DNS_FAILED: noIdentity,
  IDENTITY_ENDPOINT_DNS_UNAVAILABLE: noIdentity,
  IDENTITY_ENDPOINT_NOT_FOUND: noIdentity,
  IDENTITY_ENDPOINT_UNREACHABLE: { ...noIdentity, cases: [openTheWay] },
  IDENTITY_ENDPOINT_TIMEOUT: {
    ...noIdentity,
    cases: [
      '{passed=tcp} Restart the agent of the identity endpoint at {host}, which accepts connections but sends no response, or restart this host.',
      openTheWay,
    ],
  },
  IDENTITY_ENDPOINT_REFUSED: {
    ...noIdentity,
    cases: [
      'Start the agent of the identity endpoint: nothing listens at {host}. If the host has no managed identity, assign one and restart it, or set AUTH_MODE to a mode that this host supports.',
    ],
  },
  IDENTITY_ENDPOINT_REDIRECTED: notTheIdentity,
  IDENTITY_ENDPOINT_HTTP_ERROR: notTheIdentity,
  IDENTITY_ENDPOINT_RESPONSE_TOO_LARGE: notTheIdentity,
  IDENTITY_ENDPOINT_RESPONSE_INVALID: notTheIdentity,
  IDENTITY_ENDPOINT_TLS_FAILED: notTheIdentity,
} as const satisfies Readonly<Partial<Record<NetworkErrorCode, Partial<Finding>>>>

const viaProxy =
  `${unlessExempt}ask the network team for a DNS server or private DNS zones that resolve these names.` as const

/** If no host of the cloud resolves, the network is at fault and not the hosts. */
export const nameFindings = {
  PUBLIC_NAMES_UNRESOLVED: {
    title: 'This network does not resolve public names',
    cause: 'The hosts of the cloud have public names, but the DNS server of this network resolves none of them.',
    fix: 'Ask the network team for a DNS server or forwarder that resolves public names, for private DNS zones with private endpoints of these hosts, or for a proxy that resolves them (set HTTPS_PROXY). Do not change the profile.',
    cases: [viaProxy],
  },
  PRIVATE_NAMES_UNRESOLVED: {
    title: 'This network does not resolve the names of the cloud',
    cause:
      'The DNS server here has no zone for the cloud[{resourceManagerEndpoint.open}, or the profile has a wrong domain].',
    fix: 'Add a forwarder or private zone for the domain to the DNS server here, or set HTTPS_PROXY.[ If the domain is wrong, set {authorityHost.setting} and {resourceManagerEndpoint.setting}.| If the domain is wrong, set {authorityHost.setting}.| If the domain is wrong, set {resourceManagerEndpoint.setting}.]',
    cases: [viaProxy],
  },
} as const satisfies Readonly<Record<string, Finding>>

const exceptionOf: Readonly<Record<string, Partial<Finding>>> = exceptions
const byCode: Record<string, Finding> = {}
for (const [role, subject] of Object.entries<Subject>(subjects)) {
  for (const [fault, text] of Object.entries<Finding>(faults)) {
    const code = `${role}_${fault}`
    const isUnreachable = /^AUTHORITY_(DNS_|REFUSED|UNREACHABLE|TIMEOUT|UNTRUSTED)/.test(code)
    const signs = isUnreachable ? ['Network request failed'] : []
    byCode[code] = { ...networkFinding(subject, text), signs, ...exceptionOf[code] }
  }
}

/** The finding of each fault for each kind of host. */
export const networkFindings = byCode as Readonly<Record<NetworkErrorCode, Finding>>

/** The texts of a fault for one kind of host. Its signs belong to every kind. */
export function networkFinding(subject: Subject, { signs: _signs, ...text }: Finding): Finding {
  return { ...text, title: text.title.replace('{name}', subject.name), subject }
}
