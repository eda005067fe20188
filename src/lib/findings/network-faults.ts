import { faults } from './fault-table.ts'
import type { NetworkFault, NetworkRole } from './codes.ts'
import type { FaultText, Finding, Subject } from './finding.ts'
import { ask, because, optional, host, proof, say, when, workedBefore } from './fix-row.ts'

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
  cause:
    'The identity endpoint of this host does not respond, or returns 404. Most often the host has no managed identity.',
  fix: 'Assign a managed identity to the function app, machine or pod and restart it, or set AUTH_MODE to a mode that this host supports.',
} satisfies Partial<Finding>

/** The platform sets the address of the identity endpoint, so no fix corrects it. */
const notTheIdentity = {
  fix: [
    say`If IDENTITY_ENDPOINT is among the settings of the app, remove it, because the platform sets it. If not, restart the app, and ask the operator of the platform which program responds at ${host}.`,
  ],
} satisfies Partial<Finding>

/** Texts that differ for one kind of host. */
const exceptions: Readonly<Partial<Record<NetworkErrorCode, Partial<Finding>>>> = {
  AUTHORITY_NOT_FOUND: {
    cause:
      'The host of the login authority returned 404: the path or the tenant in it is wrong, or another service runs there.',
    causeIfProven: {
      field: 'authorityHost',
      cause: 'The host of the login authority returned 404: most often it does not know the tenant in the path.',
    },
  },
  SERVICE_DNS_FAILED: {
    cause:
      'The host name of the account does not resolve: the account does not exist, or its DNS suffix belongs to another cloud.',
    fix: [
      workedBefore,
      say`If the proxy of ${'exempted'} knows ${'host'}, remove ${'exemptingEntry'} from ${'exemptionVariable'}. If not, correct ${({ run }) => run.endpoint?.address}. A private endpoint needs its private DNS zone.`,
      when(
        ({ run }) => run.endpoint?.hasProvenSuffix,
        because(
          'The host name of the account does not resolve: the account does not exist, or only a private DNS zone knows it.',
          say`Correct ${({ run }) => run.endpoint?.address}${optional('host', ': no DNS server knows ')}. A private endpoint needs its private DNS zone.`,
        ),
      ),
      say`Correct ${({ run }) => run.endpoint?.address ?? 'PLATFORM_STORAGE_ACCOUNT or PLATFORM_KEY_VAULT, or the suffix (PLATFORM_STORAGE_DNS_SUFFIX, PLATFORM_KEYVAULT_DNS_SUFFIX)'}${optional('host', ': no DNS server knows ')}. A private endpoint needs its private DNS zone.`,
    ],
    signs: ['Token acquisition failed'],
  },
  METADATA_DNS_FAILED: {
    fix: [
      when(
        ({ run }) => run.endpoint === undefined && run.isPublic === true && run.proven.metadataEndpoint !== undefined,
        because(
          'This network does not resolve public names.',
          say`Ask the network team for a DNS server or forwarder that resolves ${host}, for a private DNS zone with its private endpoint, or for a proxy (set HTTPS_PROXY).${proof}`,
        ),
      ),
      ...faults.DNS_FAILED.fix,
    ],
  },
  SERVICE_NOT_FOUND: {
    cause: 'The host of the service returned 404: the account does not exist, or another service runs there.',
  },
  IDENTITY_ENDPOINT_DNS_FAILED: noIdentity,
  IDENTITY_ENDPOINT_DNS_UNAVAILABLE: noIdentity,
  IDENTITY_ENDPOINT_NOT_FOUND: noIdentity,
  // Rejected packets, dropped packets and a closed port have different reasons.
  IDENTITY_ENDPOINT_UNREACHABLE: {
    ...noIdentity,
    fix: [
      when(
        (facts) => host(facts).startsWith('169.254.169.254'),
        because(
          'This process has no route to the link-local address of the identity endpoint, or a firewall rejects the packets.',
          say`Add a route from this process to ${'host'}, or allow it in the firewall or network policy that rejects it (${'reason'}). If the machine has no managed identity, assign one, or set AUTH_MODE to a mode that this host supports.`,
        ),
      ),
      when(
        (facts) => !host(facts).startsWith('169.254.169.254'),
        say`Allow traffic from this process to ${'host'}: a firewall, network policy or route of this host rejects it${optional('reason', ' (', ')')}. If IDENTITY_ENDPOINT is among the settings of the app, remove it: the platform sets it.`,
      ),
      noIdentity.fix,
    ],
  },
  IDENTITY_ENDPOINT_TIMEOUT: {
    ...noIdentity,
    fix: [
      when(
        ({ reason, run }) => reason !== undefined && run.endpoint?.passed === 'tcp',
        ask`Restart the agent of the identity endpoint at ${'host'}, which accepts connections but sends no response, or restart this host.`,
      ),
      when(
        'reason',
        say`Allow traffic from this process to ${'host'} (no proxy, no network policy that drops link-local addresses). If the host has no managed identity, assign one, or set AUTH_MODE.`,
      ),
      noIdentity.fix,
    ],
  },
  IDENTITY_ENDPOINT_REFUSED: {
    ...noIdentity,
    fix: [
      say`Start the agent of the identity endpoint: nothing listens at ${'host'}. If the host has no managed identity, assign one and restart it, or set AUTH_MODE to a mode that this host supports.`,
      noIdentity.fix,
    ],
  },
  IDENTITY_ENDPOINT_REDIRECTED: notTheIdentity,
  IDENTITY_ENDPOINT_HTTP_ERROR: notTheIdentity,
  IDENTITY_ENDPOINT_RESPONSE_TOO_LARGE: notTheIdentity,
  IDENTITY_ENDPOINT_RESPONSE_INVALID: notTheIdentity,
  IDENTITY_ENDPOINT_TLS_FAILED: notTheIdentity,
}

const viaProxy = say`If the proxy of ${'exempted'} resolves these names, remove ${'exemptingEntry'} from ${'exemptionVariable'}. If not, ask the network team for a DNS server or private DNS zones that resolve them.`

/** If no host of the cloud resolves, the network is at fault and not the hosts. */
export const nameFindings = {
  PUBLIC_NAMES_UNRESOLVED: {
    title: 'This network does not resolve public names',
    cause: 'The hosts of the cloud have public names, but the DNS server of this network resolves none of them.',
    fix: [
      viaProxy,
      'Ask the network team for a DNS server or forwarder that resolves public names, for private DNS zones with private endpoints of these hosts, or for a proxy that resolves them (set HTTPS_PROXY). Do not change the profile.',
    ],
  },
  PRIVATE_NAMES_UNRESOLVED: {
    title: 'This network does not resolve the names of the cloud',
    cause: 'The DNS server of this network has no zone for the cloud, or the profile has a wrong domain.',
    causeIfProven: {
      field: 'resourceManagerEndpoint',
      cause: 'The DNS server of this network has no zone for the cloud.',
    },
    fix: [
      viaProxy,
      say`Add a forwarder or private zone for the domain to the DNS server here, or set HTTPS_PROXY.${({ run }) => {
        const fields = (['authorityHost', 'resourceManagerEndpoint'] as const).filter(
          (each) => run.proven[each] === undefined,
        )
        return fields.length === 0
          ? ''
          : ` If the domain is wrong, set ${fields.map((field) => run.nameOf(field)).join(' and ')}.`
      }}`,
    ],
  },
} as const satisfies Readonly<Record<string, Finding>>

const signs = ['Network request failed'] as const

/** The finding of each fault for each kind of host. */
export const networkFindings = Object.fromEntries(
  Object.entries<Subject>(subjects).flatMap(([role, subject]) =>
    Object.entries<FaultText>(faults).map(([fault, text]) => {
      const code = `${role}_${fault}` as NetworkErrorCode
      const isUnreachable = /^AUTHORITY_(DNS_|REFUSED|UNREACHABLE|TIMEOUT|UNTRUSTED)/.test(code)
      const finding = { ...networkFinding(subject, text), ...(isUnreachable ? { signs } : {}), ...exceptions[code] }
      return [code, finding] as const
    }),
  ),
) as Readonly<Record<NetworkErrorCode, Finding>>

/** The texts of a fault for one kind of host. */
export function networkFinding(
  subject: Subject,
  { title, cause, fix, causeIfProven }: Omit<FaultText, 'short'>,
): Finding {
  const about = (text: string) => text.replaceAll('{name}', subject.name)
  return {
    title: about(title),
    cause: about(cause),
    fix,
    subject,
    ...(causeIfProven === undefined ? {} : { causeIfProven }),
  }
}
