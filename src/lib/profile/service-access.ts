import { knownClouds, servicesOf } from '../clouds/known-clouds.ts'
import type { CloudProfile, CloudService, DnsService } from '../clouds/cloud-profile.ts'
import type { ServiceName } from '../clouds/known-files.ts'
import { ownData } from '../base/json.ts'
import { nearestName, dnsLabelPattern } from '../base/names.ts'
import { showValue } from '../base/printable.ts'
import { argumentError, mustBe, ServiceError } from '../errors.ts'
import { checkArgument, rules } from './check-arguments.ts'

/** A service of a profile: a name in the cloud files, or a name that your profile adds. `storage` is another name of `blob`. */
export type ServiceId = ServiceName | DnsService | (string & {})

/** The options that every client of a service takes. */
export interface ServiceClientOptions {
  /** In the form that the client takes: a scope for storage clients, an identifier without a final slash for others. */
  audience: string
  credentials: { scopes: string[] }
}

/** The options of the client of a service. The client of tables takes none. */
export type ClientOptionsOf<Name> = Name extends 'table'
  ? Record<string, never>
  : ServiceClientOptions & FurtherOptions<Name>

type FurtherOptions<Name> = (Name extends 'keyVault' | 'managedHsm'
  ? {
      /** True if the audience is outside the domain of the vault, as with a federation service: the client would refuse the challenge. */
      disableChallengeResourceVerification: boolean
    }
  : unknown) &
  (Name extends 'microsoftGraph'
    ? {
        baseUrl: string
        /** The client sends tokens to the hosts of a fixed list, and to these. */
        customHosts: Set<string>
      }
    : unknown) &
  (Name extends 'logAnalytics' | 'applicationInsights' ? { endpoint: string } : unknown)

/**
 * The values by which a client reaches one service of the cloud. Reading a value fails if the cloud does not publish it, or if it needs the
 * name of an account.
 */
export interface ServiceAccess<Name = ServiceId> {
  /** Ends with "/". A service with another protocol than https, such as `sqlServer` or `serviceBus`, has `host` and `port` only. */
  readonly url: string
  /** The host name, without port. */
  readonly host: string
  readonly port: number
  /** The claim `aud` of the service's tokens, in the spelling that the service expects. */
  readonly audience: string
  /** The argument of `getToken`: the audience followed by `.default`. */
  readonly scope: string
  /** Options of the service's client that this cloud needs. */
  readonly clientOptions: ClientOptionsOf<Name>
}

/** Storage clients take a scope for their audience. */
const takesScope: ReadonlySet<string> = new Set(['storage', 'blob', 'queue', 'file', 'dfs'])
/** The clients of these services take an audience without a final slash. */
const withoutSlash: ReadonlySet<string> = new Set(['containerRegistry', 'monitorIngestion', 'logAnalytics', 'search'])

/** The values of one service. @param account Name of the resource: one DNS label. A service with one address needs none. */
export function serviceAccess<Name extends ServiceId>(
  profile: CloudProfile,
  name: Name,
  account?: string,
): ServiceAccess<Name> {
  const service = findService(profile, name)
  if (account !== undefined) requireLabel(account)
  const url = addressOf(service, account)
  // A registry takes tokens of the resource manager, unless the cloud has an audience for registries.
  const ofManager = name === 'containerRegistry' ? profile.resourceManagerAudience : undefined
  const published = service.audience ?? service.applicationId ?? ofManager
  const bare = published?.replace(/\/$/, '')
  const scope = published && `${bare}/.default`
  const audience = withoutSlash.has(name) ? bare : published
  const { hostname: host, port } = url === undefined ? {} : new URL(url)
  const isHttps = service.url !== undefined || (service.port ?? 443) === 443
  const noAudience = () => missingValue(profile, name, 'audience')
  const noAddress = () => missingAddress(profile, name, service)
  const noUrl = () => notPublished(name, `${name} has no https address`, `Use host and port of ${name}.`)
  return Object.defineProperties({} as ServiceAccess<Name>, {
    url: valueOr(isHttps ? url : undefined, isHttps ? noAddress : noUrl),
    host: valueOr(host, noAddress),
    port: { value: Number(port) || (service.port ?? 443), enumerable: true },
    audience: valueOr(audience, noAudience),
    scope: valueOr(scope, noAudience),
    clientOptions:
      audience && scope
        ? // A new object for each caller, because a client may change it.
          { get: () => clientOptions(name, { audience, scope, url, host }), enumerable: true }
        : valueOr(undefined, noAudience),
  })
}

/** If the value is missing, reading the property throws. */
function valueOr(value: unknown, missing: () => ServiceError): PropertyDescriptor {
  if (value !== undefined) return { value, enumerable: true }
  return {
    get() {
      throw missing()
    },
  }
}

/**
 * The address of one resource of a service, such as `https://myaccount.blob.core.windows.net/`.
 *
 * @param account One DNS label (letters, digits, inner hyphens, at most 63), so that a name can never change the host.
 * @throws {ServiceError} `SERVICE_NOT_PUBLISHED` for a service without an address in the profile, `ARGUMENT_INVALID` for another name.
 */
export function serviceUrl(profile: CloudProfile, service: ServiceId, account: string): string {
  checkArgument('profile', profile, rules.profile)
  requireLabel(account)
  const found = findService(ownData(profile), service)
  const url = addressOf(found, account)
  if (url === undefined) throw missingAddress(profile, service, found)
  return url
}

function findService(profile: CloudProfile, name: string): CloudService {
  const services: Readonly<Record<string, CloudService | undefined>> = servicesOf(profile)
  const id = name === 'storage' ? 'blob' : name
  const found = Object.hasOwn(services, id) ? services[id] : undefined
  if (found !== undefined) return found
  if (profile.absent?.includes(name) || knownClouds.some((cloud) => Object.hasOwn(servicesOf(cloud), id))) {
    const message = `The profile ${profile.name} has no service ${name}: no published value is known to us`
    throw notPublished(name, message, `If the cloud has the service, add services.${name} to a profile file.`)
  }
  const nearest = typeof name === 'string' ? nearestName(name, Object.keys(services)) : undefined
  const known = ['storage', ...Object.keys(services)].join(', ')
  throw argumentError(mustBe('service', `one of ${known}`, showValue(name), nearest))
}

function notPublished(service: string, message: string, fix: string): ServiceError {
  return new ServiceError('SERVICE_NOT_PUBLISHED', message, { evidence: { service }, fix })
}

function missingValue(profile: CloudProfile, name: string, value: 'dnsSuffix' | 'audience'): ServiceError {
  const message = `The profile ${profile.name} has no ${value} of ${name}`
  return notPublished(name, message, `Add services.${name}.${value} to a profile file.`)
}

/** The error of a service without an address, or without the name of the resource that its address contains. */
function missingAddress(profile: CloudProfile, name: string, { dnsSuffix }: CloudService): ServiceError {
  if (dnsSuffix === undefined) return missingValue(profile, name, 'dnsSuffix')
  const message = `The address of ${name} contains the name of a resource, and account is not set`
  return notPublished(name, message, `Pass the name of the resource: service('${name}', NAME).`)
}

/** An address wins over a suffix, because an operator added it, for example for a private endpoint. */
function addressOf({ url, dnsSuffix }: CloudService, account: string | undefined): string | undefined {
  if (url !== undefined) return new URL(url).href.replace(/\/?$/, '/')
  if (dnsSuffix === undefined || account === undefined) return undefined
  // `xn--a` passes the pattern, but isn't a host name.
  return URL.parse(`https://${account}${dnsSuffix}/`)?.href ?? refuseLabel(account)
}

function requireLabel(account: string): void {
  if (typeof account !== 'string' || !dnsLabelPattern.test(account)) refuseLabel(account)
}

function refuseLabel(account: string): never {
  const label = 'one DNS label (letters, digits, inner hyphens, at most 63 characters)'
  throw argumentError(mustBe('account', label, showValue(account)))
}

type Values = Readonly<Record<'audience' | 'scope', string> & Record<'url' | 'host', string | undefined>>

function clientOptions(name: string, { audience, scope, url, host }: Values): Partial<ServiceClientOptions> {
  if (name === 'table') return {}
  const options = {
    audience: takesScope.has(name) ? scope : audience.replace(/\/$/, ''),
    credentials: { scopes: [scope] },
  }
  if (name === 'keyVault' || name === 'managedHsm') {
    // The clients compare the challenge's resource with the end of the vault's host.
    const isBelow = host === undefined || host.endsWith(`.${new URL(audience).hostname}`)
    return Object.assign(options, { disableChallengeResourceVerification: !isBelow })
  }
  if (name === 'microsoftGraph') return Object.assign(options, url && { baseUrl: url, customHosts: new Set([host]) })
  const hasEndpoint = name === 'logAnalytics' || name === 'applicationInsights'
  return Object.assign(options, hasEndpoint && url && { endpoint: url.replace(/\/$/, '') })
}
