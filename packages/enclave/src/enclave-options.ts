import type { CloudProfile } from 'cloud-profile-service'
import type { CertificateAuthority } from './certificate-authority.ts'
import type { FaultSetting } from './faults/fault-board.ts'
import type { DeviceCodeTiming } from './login/device-codes.ts'
import type { VersionSet } from './named-cloud.ts'
import type { Seed } from './seed.ts'
import type { Ports } from './servers.ts'

/** What an application's tests choose of a cloud. */
export interface CloudOptions extends Seed {
  /**
   * The cloud that it plays: its kind, audiences, suffixes and services. Default is a private cloud. With `cloud`, `federationService` has no
   * effect: the address of the login authority says what it is.
   */
  readonly cloud?: CloudProfile | undefined
  /** Default is a random GUID. Ignored with a federation service, whose tenant is `adfs`. */
  readonly tenantId?: string | undefined
  /** The client id of the application. Default is a random GUID. */
  readonly clientId?: string | undefined
  /** A secret of the application, for a program with its own. The random one, which `environment` has, works too. */
  readonly clientSecret?: string | undefined
  /** The login authority is a federation service (AD FS), as on an on-premises stack. Default is false. */
  readonly federationService?: boolean | undefined
  /** The interface versions of its services. Default is `stack` for a `cloud` that is a stack, else `current`, which refuses none. */
  readonly versions?: VersionSet | undefined
  /**
   * Accepts the resource manager endpoint and `https://storage.azure.com/` as audiences, and returns a normalized scope. Default is false:
   * neither is an identifier in every real cloud, and a client may compare the returned scope with the requested one.
   */
  readonly lenient?: boolean | undefined
  /**
   * Leads blobs, queues and tables to azurite, behind the enclave's checks of token, audience and version. `true` starts an installed one;
   * `http://127.0.0.1:10000` is the blob service of a running one, whose queues and tables have the next two ports. Default is the enclave's
   * own block blobs.
   */
  readonly azurite?: string | true | undefined
  /** Active from the start. `setFault` changes them. */
  readonly faults?: readonly FaultSetting[] | undefined
  /** Lifetime of access tokens in seconds. Default is 3600. Under 300 no client caches them. */
  readonly tokenLifetimeSeconds?: number | undefined
  readonly deviceCode?: DeviceCodeTiming | undefined
}

export interface EnclaveOptions extends CloudOptions {
  /** Default is a new one. One authority for a whole test run saves time and needs one NODE_EXTRA_CA_CERTS. */
  readonly ca?: CertificateAuthority | undefined
  /** Default is any free port for each role. */
  readonly ports?: Ports | undefined
  /**
   * The host of the profile's addresses. Some clients mistake an IPv6 literal for a name. Default is `localhost`; on a machine without
   * 127.0.0.1 whose `localhost` is not ::1, `[::1]`.
   */
  readonly hostName?: 'localhost' | '[::1]' | undefined
  /**
   * Whether the addresses of `cloud`, storage account and key vault included, are on loopback, so that no name needs to resolve. Default is
   * false: the enclave answers under the host names of `cloud`.
   */
  readonly localServices?: boolean | undefined
  /**
   * The login authority also responds to instance discovery under its public names, for its own address only. Default is false. Clients without
   * a switch for instance discovery contact such a name on port 443, so it must resolve to this machine.
   */
  readonly discovery?: boolean | undefined
  /** Milliseconds since the epoch, for tokens and their checks. Default is the system's clock. Certificates don't depend on it. */
  readonly now?: (() => number) | undefined
}

/** `undefined` for an option without a fixed default. */
const defaults = {
  ca: undefined,
  cloud: undefined,
  ports: {},
  azurite: undefined,
  hostName: undefined,
  tenantId: undefined,
  federationService: false,
  lenient: false,
  containers: undefined,
  queues: undefined,
  secrets: undefined,
  keys: undefined,
  seed: undefined,
  localServices: false,
  versions: undefined,
  clientId: undefined,
  clientSecret: undefined,
  discovery: false,
  faults: [],
  tokenLifetimeSeconds: 3600,
  deviceCode: {},
  now: () => Date.now(),
} satisfies { readonly [Name in keyof EnclaveOptions]-?: EnclaveOptions[Name] }

type Settled = {
  readonly [Name in keyof EnclaveOptions]-?: (typeof defaults)[Name] extends undefined
    ? EnclaveOptions[Name]
    : NonNullable<EnclaveOptions[Name]>
}

/** @throws {RangeError} that names an option which does not exist or is invalid. */
export function withDefaults(options: EnclaveOptions): Settled {
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(defaults, name))
  const known = Object.keys(defaults).join(', ')
  if (unknown.length > 0) throw new RangeError(`There is no option ${unknown.join(', ')}, only ${known}.`)
  if (typeof options.azurite === 'string' && !URL.canParse(options.azurite))
    throw new RangeError('azurite must be the URL of its blob service, such as http://127.0.0.1:10000.')
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return { ...defaults, ...(Object.fromEntries(given) as Partial<Settled>) }
}
