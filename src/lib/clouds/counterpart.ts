import { equalUrls, withoutFinalSlashes } from '../base/address.ts'
import { withoutUndefined } from '../base/json.ts'
import { isGuid } from '../base/names.ts'
import type { CloudFile, CloudService } from './cloud-profile.ts'
import { knownCloudOfAuthority, resourceManagerAudiencesOf } from './equal-values.ts'
import { knownClouds, servicesOf } from './known-clouds.ts'
import { includesCloud, ownerOf } from './owner-of.ts'

/** The value that the cloud in force has in place of a value of another cloud, or of a value that no cloud accepts. */
interface Counterpart {
  /** The value in question, as it was given. */
  readonly value: string
  /** Why the value is wrong in the cloud in force, such as `x belongs to keyVault of the Commercial cloud`. */
  readonly reason: string
  /** A name in `services`, or `login`, `resourceManager` or `portal`. Absent for an unknown service. */
  readonly service?: string
  /** The other cloud that has the value, if there is one. */
  readonly owner?: CloudFile
  /** What the cloud in force has for the service: a host, or a DNS suffix that begins with ".". */
  readonly host?: string
  /** The audience followed by `.default`. */
  readonly scope?: string
  /** What to do, such as `Request the scope https://vault.azure.cn/.default in the China cloud`. */
  readonly use: string
  /** What to do and why, without a final period. */
  readonly advice: string
}

interface Question {
  /** The cloud in force. Without it, a counterpart has no values. */
  readonly cloud: CloudFile | undefined
  /** The clouds that are recognized. */
  readonly clouds?: readonly CloudFile[]
  /** Default depends on the form of the value: a URL or an application id is an audience, and anything else is a host. */
  readonly as?: 'scope' | 'audience' | 'host'
}

/** What the cloud in force has in place of a host, an audience, a scope or an application id. `undefined` if the value is right or unknown. */
export function counterpartOf(
  value: string,
  { cloud: given, clouds = knownClouds, as }: Question,
): Counterpart | undefined {
  const kind = as ?? (isGuid(value) || /:\/\/|\/\.default$|^spn:/.test(value) ? 'audience' : 'host')
  const { audience, problem } = kind === 'host' ? { audience: value } : readScope(value, kind === 'scope')
  const cloud = given && describing(given, audience, clouds)
  const found = whose(audience, cloud, clouds, kind === 'host')
  if (found === undefined && problem === undefined) return undefined
  const { service, owner, reason = `${value} ${problem}` } = found ?? {}
  const here: CloudService =
    found === undefined ? { audience } : service && cloud ? valuesIn(cloud, service, clouds) : {}
  // The deployment endpoint of App Service is below the host of the application.
  const below = /\.scm\./.test(value) ? '.scm' : ''
  const host = here.url === undefined ? here.dnsSuffix && below + here.dnsSuffix : URL.parse(here.url)?.hostname
  const scope = here.audience && `${withoutFinalSlashes(here.audience)}/.default`
  const address = host?.startsWith('.') === true ? `a host that ends with ${host}` : host
  const what = kind === 'host' ? address && `Use ${address}` : scope && `Request the scope ${scope}`
  const use =
    given === undefined
      ? 'Use the values of one cloud'
      : what === undefined
        ? `Ask the operator of ${titleOf(given)} for its value of ${nounOf(service ?? 'the service')}, because no published value is known`
        : `${what} in ${titleOf(given)}`
  return withoutUndefined({ value, reason, service, owner, host, scope, use, advice: `${use}: ${reason}` })
}

const openIdScopes = /\/(?:openid|profile|email|offline_access)$/
const delegated = /\/([A-Z]\w*(?:\.\w+)+|user_impersonation|access_as_user)$/

/** Without `/.default` at the end, also if it is there more than once. A loop, because the time of a pattern would grow faster than its text. */
function withoutDefault(text: string): string {
  const ended = text.endsWith('/') ? text.slice(0, -1) : text
  return ended.endsWith('.default') ? withoutDefault(ended.slice(0, -'.default'.length).replace(/\/{1,2}$/, '')) : text
}

/** The audience of a scope, and what is wrong with its form. @param isScope Whether it must end with `/.default`. */
function readScope(text: string, isScope: boolean): { readonly audience: string; readonly problem?: string } {
  const scope = text.split(/\s/).find((each) => /:\/\/|\/\.default/.test(each)) ?? text
  const bare = scope.replace(/^spn:/, '')
  const audience = withoutDefault(bare)
  const clean = URL.parse(audience)?.pathname === '/' ? `${withoutFinalSlashes(audience)}/` : audience
  if (bare.indexOf('.default') !== bare.lastIndexOf('.default'))
    return { audience: clean, problem: 'contains .default twice' }
  if (/[^/]\.default/.test(bare)) return { audience: clean, problem: 'has no / before .default' }
  if (audience !== bare) return { audience: clean }
  const isOpenId = openIdScopes.test(bare)
  const appended = (isOpenId ? openIdScopes : delegated).exec(bare)?.[0]
  if (appended === undefined)
    return isScope ? { audience: clean, problem: 'has no /.default after the resource' } : { audience: bare }
  const resource = bare.slice(0, 1 - appended.length)
  const problem = isOpenId ? 'appends a scope of OpenID to a resource' : `is a delegated permission of ${resource}`
  return { audience: resource, problem }
}

/** The description to take values from: the cloud file instead of a profile in which the value is left over from another cloud. */
function describing(cloud: CloudFile, value: string, clouds: readonly CloudFile[]): CloudFile {
  const owner = ownerOf(value, clouds)
  const isLeftOver = owner !== undefined && !includesCloud(owner.clouds, cloud) && ownerOf(value, [cloud]) !== undefined
  return (isLeftOver ? knownCloudOfAuthority(cloud.authorityHost, clouds) : undefined) ?? cloud
}

/** The cloud in a sentence: `the US Government cloud`, but `Bleu (France)`. */
export function titleOf({ displayName }: Pick<CloudFile, 'displayName'>): string {
  return displayName.endsWith(' cloud') ? `the ${displayName}` : displayName
}

const nouns: Readonly<Record<string, string>> = {
  login: 'the login authority',
  resourceManager: 'the resource manager',
  portal: 'the portal',
}

const nounOf = (service: string): string => nouns[service] ?? service

/** Which service has a value, and why the value is wrong in the cloud in force. */
function whose(
  value: string,
  cloud: CloudFile | undefined,
  clouds: readonly CloudFile[],
  isHost: boolean,
): Pick<Counterpart, 'service' | 'owner' | 'reason'> | undefined {
  const elsewhere = ownerOf(value, clouds)?.clouds
  // A known cloud may have an issuer with the host of another one, and a profile a value that is left over from it.
  const known = cloud && knownCloudOfAuthority(cloud.authorityHost, clouds)
  const isOther = known && elsewhere && !includesCloud(elsewhere, known)
  const own = cloud && isOther !== true ? serviceOf(value, [cloud]) : undefined
  const [service, owners] = own ?? serviceOf(value, clouds) ?? guessed(value, clouds) ?? []
  if (service === undefined || owners === undefined) return undefined
  const [owner, second, third] = owners
  if (owner === undefined)
    return { service, reason: `no known cloud has the host ${URL.parse(value)?.hostname ?? value}` }
  const title = third === undefined ? owners.map(titleOf).join(' and ') : 'several clouds'
  const belongs = `${value} belongs to ${nounOf(service)} of ${title}`
  if (cloud === undefined) return second === undefined ? { service, owner, reason: belongs } : undefined
  const here = successorIn(cloud, service, clouds)
  if (own === undefined && !includesCloud(owners, cloud)) return { service: here, owner, reason: belongs }
  if (here !== service) return { service: here, reason: `${value} belongs to ${service}, which is retired` }
  if (isHost || isAccepted(value, service, cloud, clouds)) return undefined
  const reason = own === undefined ? belongs : `${value} is an address of ${nounOf(service)} and not its audience`
  return { service, reason }
}

/** The service of a value and the clouds that have it: by its host, by an application id, or by an audience that several clouds share. */
function serviceOf(value: string, clouds: readonly CloudFile[]): readonly [string, readonly CloudFile[]] | undefined {
  const owner = ownerOf(value, clouds)
  if (owner !== undefined) return [owner.service, owner.clouds]
  const isValue = ({ applicationId, audience = '' }: CloudService) =>
    applicationId === value.toLowerCase() || equalUrls(audience, value)
  const rows = clouds.flatMap((cloud) => Object.entries(servicesOf(cloud)).map((row) => [cloud, ...row] as const))
  const found = rows.filter(([, , service]) => isValue(service))
  return found[0] && [found[0][1], [...new Set(found.map(([cloud]) => cloud))]]
}

const endings = 'com net us cn de fr sg'.split(' ')

/** The service for which people take a host that no cloud has: a listed host, or the host of a cloud with the ending of another country. */
function guessed(value: string, clouds: readonly CloudFile[]): readonly [string, readonly CloudFile[]] | undefined {
  const host = (URL.parse(value)?.hostname ?? value).toLowerCase()
  const [listed] = clouds.flatMap(({ guessedHosts = {} }) =>
    Object.entries(guessedHosts).filter(([, hosts]) => hosts?.some((each) => `.${host}`.endsWith(`.${each}`))),
  )
  if (listed !== undefined) return [listed[0], []]
  const [, rest = '', ending = ''] = /^(.+)\.([a-z]+)$/.exec(host) ?? []
  if (!endings.includes(ending)) return undefined
  const [alike] = endings.flatMap((each) => serviceOf(`https://${rest}.${each}/`, clouds)?.[0] ?? [])
  return alike === undefined ? undefined : [alike, []]
}

/** The services that replace retired ones. */
const successors: Readonly<Record<string, string>> = {
  classicLogin: 'login',
  classicPortal: 'portal',
  directoryGraph: 'microsoftGraph',
}

function successorIn(cloud: CloudFile, service: string, clouds: readonly CloudFile[]): string {
  const successor = successors[service]
  const { retired, ...values } = valuesIn(cloud, service, clouds)
  return successor !== undefined && (retired === true || Object.keys(values).length === 0) ? successor : service
}

/** The values of a service in a cloud. A profile with the login authority of a known cloud need not repeat its services. */
function valuesIn(cloud: CloudFile, service: string, clouds: readonly CloudFile[]): CloudService {
  const { authorityHost, resourceManagerEndpoint, resourceManagerAudience, portalUrl } = cloud
  const own: Readonly<Record<string, { readonly [K in keyof CloudService]: CloudService[K] | undefined }>> = {
    ...servicesOf(cloud),
    login: { url: authorityHost },
    portal: { url: portalUrl },
    resourceManager: { url: resourceManagerEndpoint, audience: resourceManagerAudience },
  }
  const known = knownCloudOfAuthority(cloud.authorityHost, clouds)
  const values = own[service] ?? (known === undefined || known === cloud ? {} : valuesIn(known, service, clouds))
  const all = Object.entries({ ...values, audience: values.audience ?? values.applicationId })
  return withoutUndefined(Object.fromEntries(all.filter(([, each]) => !String(each).includes('.invalid'))))
}

/** Services whose accounts accept tokens for their own addresses. */
const byAccount = 'blob queue table file dfs cosmos appConfiguration serviceBus eventHubs'.split(' ')

function isAccepted(value: string, service: string, cloud: CloudFile, clouds: readonly CloudFile[]): boolean {
  const { audience, applicationId, dnsSuffix } = valuesIn(cloud, service, clouds)
  const others = service === 'resourceManager' ? resourceManagerAudiencesOf(cloud) : []
  if ([audience, applicationId, ...others].some((each) => each !== undefined && equalUrls(each, value))) return true
  const host = URL.parse(value)?.hostname ?? ''
  return byAccount.includes(service) && dnsSuffix !== undefined && host.endsWith(dnsSuffix.toLowerCase())
}
