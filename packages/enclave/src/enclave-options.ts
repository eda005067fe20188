import type { CloudProfile } from 'cloud-profile-service'
import type { CertificateAuthority } from './certificate-authority.ts'
import type { FaultSetting } from './faults/fault-board.ts'
import type { DeviceCodeTiming } from './login/device-codes.ts'
import type { VersionSet } from './named-cloud.ts'
import type { Seed } from './seed.ts'
import type { Ports } from './servers.ts'

export interface EnclaveOptions extends Seed {
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
  /** The client id of the application. Default is a random GUID. */
  readonly clientId?: string | undefined
  /** A secret of the application, for a program with its own. The enclave's random one, which `environment` has, works too. */
  readonly clientSecret?: string | undefined
  /**
   * The cloud to play, under its host names: the enclave has its issuer and audiences, and knows no others. Default is the loopback cloud,
   * under `localhost`. With it `federationService` has no effect: the address of the login authority says what it is.
   */
  readonly cloud?: CloudProfile | undefined
  /** The login authority is a federation service, as on an on-premises stack. Default is false. */
  readonly federationService?: boolean | undefined
  /** The versions that the services accept. Default is `stack` for a named cloud on a stack, else `current`, which refuses none. */
  readonly versions?: VersionSet | undefined
  /** Whether the profile has the loopback addresses of storage account and key vault, so that a client needs no name of theirs. Default is false. */
  readonly localServices?: boolean | undefined
  /**
   * Leads blobs, queues and tables to azurite, behind the enclave's checks of token, audience and version: the blob service of a running one, such as `http://127.0.0.1:10000`, whose queues and tables have the next two ports, or `true` to start an installed one. Default is the
   * enclave's own block blobs.
   */
  readonly azurite?: string | true | undefined
  /**
   * Accepts the resource manager endpoint and `https://storage.azure.com/` as audiences, and returns a normalized scope. Default is false:
   * neither is an identifier in every real cloud, and a client may compare the returned scope with the requested one.
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
  /** Milliseconds since the epoch, for tokens and their checks. Default is the system's clock. Certificates do not depend on it. */
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
