import type { CertificateAuthority } from './certificates/certificate-authority.ts'
import type { FaultSetting } from './faults/fault-board.ts'
import type { DeviceCodeTiming } from './login/device-codes.ts'
import type { Ports } from './servers.ts'

export interface EnclaveOptions {
  /** Default is a new one. One authority for a whole test run saves time and needs one NODE_EXTRA_CA_CERTS. */
  readonly ca?: CertificateAuthority | undefined
  /** Default is any free port for each role. */
  readonly ports?: Ports | undefined
  /**
   * The host of the profile's addresses. Some clients mistake an IPv6 literal for a name. Default is `localhost`; on a machine without
   * 127.0.0.1 whose `localhost` is not ::1, `[::1]`. */
  readonly hostName?: 'localhost' | '[::1]' | undefined
  /** Default is a random GUID. Ignored with a federation service, whose tenant is `adfs`. */
  readonly tenantId?: string | undefined
  /** The login authority is a federation service, as on an on-premises stack. Default is false. */
  readonly federationService?: boolean | undefined
  /**
   * Accepts the resource manager's endpoint as an audience, and answers a normalized scope. Default is false: the endpoint is not an
   * identifier in every real cloud, and a client may compare the scope that it gets with the one that it requested.
   */
  readonly lenient?: boolean | undefined
  /**
   * The login authority also answers instance discovery under its well-known public names, for its own address alone. Default is false.
   * Clients without a switch for instance discovery ask such a name on port 443, so it must resolve to this machine.
   */
  readonly discovery?: boolean | undefined
  /** Active from the start. `setFault` changes them. */
  readonly faults?: readonly FaultSetting[] | undefined
  /** Lifetime of access tokens. Default is 3600. Under 300 no client caches them. */
  readonly tokenLifetimeSeconds?: number | undefined
  readonly deviceCode?: DeviceCodeTiming | undefined
  /**
   * Refuses a certificate assertion that was used before. Default is false: clients reuse one for ten minutes, and the real
   * authorities allow it.
   */
  readonly assertionsOnce?: boolean | undefined
  /** Milliseconds since the epoch, for tokens and their checks. Default is the system's clock. Certificates do not depend on it. */
  readonly now?: (() => number) | undefined
}

/** The compiler holds the names to the type. */
const optionNames = Object.keys({
  ca: 0,
  ports: 0,
  hostName: 0,
  tenantId: 0,
  federationService: 0,
  lenient: 0,
  discovery: 0,
  faults: 0,
  tokenLifetimeSeconds: 0,
  deviceCode: 0,
  assertionsOnce: 0,
  now: 0,
} satisfies Record<keyof EnclaveOptions, 0>)

/** @throws {RangeError} that names an option which does not exist. */
export function refuseUnknownOptions(options: object, known: readonly string[] = optionNames): void {
  const unknown = Object.keys(options).filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new RangeError(`There is no option ${unknown.join(', ')}, only ${known.join(', ')}.`)
}
