import type { CertificateAuthority } from './certificates/certificate-authority.ts'
import type { FaultSetting } from './faults/fault-board.ts'
import type { DeviceCodeTiming } from './login/device-codes.ts'
import type { Ports } from './servers.ts'

export interface EnclaveOptions {
  /** Default is a new one. Making one authority for a whole test run saves time and lets one NODE_EXTRA_CA_CERTS do. */
  readonly ca?: CertificateAuthority
  /** Default is any free port for each role. */
  readonly ports?: Ports
  /** How the profile names its hosts. An IPv6 literal is what some clients take for a name to look up. Default is `localhost`. */
  readonly hostName?: 'localhost' | '[::1]'
  /** Default is a random GUID. Ignored with a federation service, whose tenant is `adfs`. */
  readonly tenantId?: string
  /** The login authority is a federation service, as on an on-premises stack. Default is false. */
  readonly federationService?: boolean
  /** On from the start. `setFault` changes them. */
  readonly faults?: readonly FaultSetting[]
  /** Lifetime of access tokens. Default is 3600. Under 300 no client caches them. */
  readonly tokenLifetimeSeconds?: number
  readonly deviceCode?: DeviceCodeTiming
  /**
   * Refuses a certificate assertion that was used before. Default is false: clients reuse one for its ten minutes, and the real
   * authorities let them.
   */
  readonly assertionsOnce?: boolean
  /** Milliseconds since the epoch, for tokens and their checks. Default is the system's clock. Certificates do not follow it. */
  readonly now?: () => number
}
