import type { CloudProfile } from 'cloud-profile-service'
import type { CertificateAuthority } from './certificate-authority.ts'
import type { FaultSetting } from './faults/fault-board.ts'
import type { DeviceCodeTiming } from './login/device-codes.ts'
import type { VersionSet } from './named-cloud.ts'
import type { Seed } from './seed.ts'
import type { Ports } from './servers.ts'

/** Options of a cloud for the tests of an application. */
export interface CloudOptions extends Seed {
  /**
   * The cloud to simulate: its identity provider, audiences, suffixes and services. Default is a private cloud. With `cloud`,
   * `federationService` has no effect, because the path of `authorityHost` decides.
   */
  readonly cloud?: CloudProfile | undefined
  /** Default is a random GUID. Has no effect with a federation service: its tenant is `adfs`. */
  readonly tenantId?: string | undefined
  /** The client id of the application. Default is a random GUID. */
  readonly clientId?: string | undefined
  /** A further secret of the application. The random one in `environment` is valid too. */
  readonly clientSecret?: string | undefined
  /** The login authority is a federation service (AD FS), as on an on-premises stack. Default is false. */
  readonly federationService?: boolean | undefined
  /** API versions of the services. Default is `stack` if `cloud` is a stack, else `current`, which accepts every version. */
  readonly versions?: VersionSet | undefined
  /**
   * Whether to accept the resource manager endpoint and `https://storage.azure.com/` as audiences, and to return a normalized scope. Default is
   * false, because not every real cloud accepts them, and a client may compare the returned scope with the requested scope.
   */
  readonly lenient?: boolean | undefined
  /**
   * Serves blobs, queues and tables with azurite, after the enclave has checked token, audience and version. `true` starts an installed azurite.
   * `http://127.0.0.1:10000` is the blob service of a running one; its queues and tables have the next two ports. Default is the block blobs of
   * the enclave.
   */
  readonly azurite?: string | true | undefined
  /** Names of a storage account and a vault for the lists of the resource manager. Default is none; the services respond to every name. */
  readonly resources?: { readonly storage?: string | undefined; readonly vault?: string | undefined } | undefined
  /**
   * What to request in place of a resource or scope that the cloud does not know. Added to the text of AADSTS500011 and AADSTS70011. Default
   * is the audience of the cloud with the same first label.
   */
  readonly adviceOn?: ((resource: string) => string | undefined) | undefined
  /** Faults from the start. `setFault` changes them. */
  readonly faults?: readonly FaultSetting[] | undefined
  /** Lifetime of access tokens in seconds. Default is 3600. Clients don't cache a token with less than 300. */
  readonly tokenLifetimeSeconds?: number | undefined
  readonly deviceCode?: DeviceCodeTiming | undefined
}

export interface EnclaveOptions extends CloudOptions {
  /** Default is a new authority. A shared one saves time in a test run, and needs only one NODE_EXTRA_CA_CERTS. */
  readonly ca?: CertificateAuthority | undefined
  /** Default is any free port for each role. */
  readonly ports?: Ports | undefined
  /** The host in the profile's addresses. Default is `localhost`, or `[::1]` if `localhost` doesn't resolve to the machine's only address, ::1. */
  readonly hostName?: 'localhost' | '[::1]' | undefined
  /**
   * Whether all addresses of `cloud`, also of storage account and key vault, are on loopback, so that no name must resolve. Default is false:
   * clients use the host names of `cloud`.
   */
  readonly localServices?: boolean | undefined
  /**
   * Whether the login authority also has the public names of instance discovery. It confirms only itself. Default is false. Clients that can't
   * disable instance discovery contact such a name on port 443, so the name must resolve to this machine.
   */
  readonly discovery?: boolean | undefined
  /** Milliseconds since the epoch, for tokens. Certificates use the system's clock, which is also the default. */
  readonly now?: (() => number) | undefined
}

const defaults = {
  ports: {},
  federationService: false,
  lenient: false,
  localServices: false,
  discovery: false,
  faults: [],
  tokenLifetimeSeconds: 3600,
  deviceCode: {},
  now: () => Date.now(),
} satisfies EnclaveOptions

type Defaults = { readonly [Name in keyof typeof defaults]: NonNullable<EnclaveOptions[Name]> }

/** Options without a default. */
const otherOptions =
  'ca cloud azurite hostName tenantId containers queues secrets keys seed versions resources clientId clientSecret adviceOn'.split(
    ' ',
  )

/** @throws {RangeError} that names an option which does not exist or is invalid. */
export function withDefaults(options: EnclaveOptions): EnclaveOptions & Defaults {
  const known = [...otherOptions, ...Object.keys(defaults)]
  const unknown = Object.keys(options).filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new RangeError(`There is no option ${unknown.join(', ')}, only ${known.join(', ')}.`)
  if (typeof options.azurite === 'string' && !URL.canParse(options.azurite))
    throw new RangeError('azurite must be the URL of its blob service, such as http://127.0.0.1:10000.')
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return { ...defaults, ...(Object.fromEntries(given) as Partial<Defaults>) }
}
