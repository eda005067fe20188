import { equalUrls, isLoopback, parseHttpUrl, withoutFinalSlashes } from '../base/address.ts'
import type { Env } from '../base/env.ts'
import { mistakeIn } from '../base/secret.ts'
import { counterpartOf } from '../clouds/counterpart.ts'
import { equalAuthorities } from '../clouds/equal-values.ts'
import { knownClouds } from '../clouds/known-clouds.ts'
import type { ErrorCode, Evidence, NetworkFault } from '../errors.ts'
import { type ChangeableField, type EndpointFacts, layers, type RunFacts } from '../findings/finding.ts'
import type { ExplainedProfile } from '../profile/explained-profile.ts'
import { profileFacts } from '../profile/profile-facts.ts'
import { credentialTable } from '../settings/setting-table.ts'
import type { Settings } from '../settings/settings.ts'
import { proxyFor } from '../transport/egress.ts'
import { addressKind } from './probes/connect.ts'
import { noticedSeconds } from './probes/probe-authority.ts'
import type { Identity } from './report.ts'
import type { Check, Endpoint, Host, HostFacts } from './run.ts'

type Proofs = Partial<Record<ChangeableField, string>>

/** What the facts of a run come from. Nothing is concluded here. */
export interface FactsSource {
  readonly checks: readonly Check[]
  readonly cloud: Pick<ExplainedProfile, 'profile' | 'source' | 'fields'>
  readonly identity: Identity
  readonly settings: Settings
  readonly endpoints: readonly Endpoint[]
  /** The fields that earlier runs of this process confirmed. Its profile never changes, so what was proven stays proven. */
  readonly remembered?: Readonly<Proofs>
  readonly env: Env
}

/** The facts of a run, each collected once. */
export interface CollectedFacts extends FactsSource {
  /** By the id of the endpoint. */
  readonly hosts: ReadonlyMap<string, Host>
  readonly facts: RunFacts
  /** The fields that the checks of this run confirm, each with its proof. */
  readonly confirmed: Readonly<Proofs>
  /** The host names, if none of them resolves. Then the network is at fault. */
  readonly unresolved: readonly string[]
}

export function collectFacts(source: FactsSource): CollectedFacts {
  const { checks, cloud, identity, remembered, settings } = source
  const all = probedHosts(source)
  const hosts = new Map(all.map((host) => [host.id, host]))
  const lookups = checks.filter(({ layer, endpoint }) => layer === 'dns' && endpoint !== 'identity-endpoint')
  const names = lookups.flatMap(({ endpoint = '' }) => hosts.get(endpoint)?.url.hostname ?? [])
  // An address, a proxy or a name that resolves shows that the network is not at fault.
  const unresolved = lookups.every(({ fault }) => fault === 'DNS_FAILED') ? [...new Set(names)] : []
  const toSet = namedByCloud(all, cloud.profile)
  const ofProfile = profileFacts(cloud, toSet)
  const confirmed = confirmedBy(all)
  const proven = { ...ofProfile.proven, ...remembered, ...confirmed }
  const facts = { ...ofProfile, ...identity, ...toSet, mode: settings.authMode, proven, ...clockFacts(all) }
  return { ...source, hosts, facts, confirmed, unresolved }
}

/** The endpoints, each with its checks, and with the observations of all checks on its host. Its own count more. */
function probedHosts({ checks, endpoints }: FactsSource): readonly Host[] {
  const checksOf = ({ id }: Endpoint) => checks.filter(({ endpoint }) => endpoint === id)
  return endpoints.map((endpoint) => {
    const own = checksOf(endpoint)
    const ofHost = endpoints.filter(({ url }) => url.host === endpoint.url.host).flatMap(checksOf)
    const observed: HostFacts = Object.assign({}, ...[...ofHost, ...own].map((check) => check.observed))
    return { ...endpoint, ...observed, checks: own, ofHost }
  })
}

const namesOf = (hosts: readonly Host[]) => [...new Set(hosts.map(({ url }) => url.host))].join(', ')

/** The audience and the login authority that the cloud names, if the profile has others. */
function namedByCloud(hosts: readonly Host[], ours: ExplainedProfile['profile']) {
  const ofCloud = ['metadata', 'resource-manager'].flatMap((id) => hosts.find((each) => each.id === id)?.checks ?? [])
  const named = (name: keyof Evidence) => ofCloud.flatMap(({ evidence }) => evidence?.[name] ?? [])
  const hostOf = (url: string) => parseHttpUrl(url)?.host
  const isOther = (authority: string) => !equalAuthorities(authority, ours.authorityHost)
  const audiences = [...named('publishedAudience'), ...named('challengeAudience')]
  // A challenge names the tenant too, so only its host counts. The metadata names the authority with its path.
  const challenged = named('challengeAuthority').filter((each) => hostOf(each) !== hostOf(ours.authorityHost))
  return {
    audienceToSet: audiences.find((each) => !equalUrls(each, ours.resourceManagerAudience)),
    authorityToSet: challenged.find(isOther) ?? named('publishedAuthority').find(isOther),
  }
}

/** The fields that the checks confirm, each with its proof. */
function confirmedBy(hosts: readonly Host[]): Proofs {
  const proven: Proofs = {}
  const nouns: Proofs = { authorityHost: 'this login authority', resourceManagerAudience: 'this audience' }
  for (const { id, url, checks } of hosts) {
    for (const { status, layer, proves = [] } of checks) {
      if (status === 'fail' || status === 'skip') continue
      const how = layer === 'token' ? `${url.host} accepted a token of` : `the challenge of ${url.host} confirms`
      const proof = id === 'metadata' ? "the cloud's metadata confirms" : how
      for (const field of proves) proven[field] ??= `${proof} ${nouns[field] ?? `\`${field}\``}`
    }
  }
  return proven
}

/** The local clock is wrong if the majority of the hosts disagree with it. The login authority counts as one of them. */
function clockFacts(hosts: readonly Host[]): Pick<RunFacts, 'clock' | 'clockOf'> {
  const timed = hosts.filter(({ skewSeconds }) => skewSeconds !== undefined)
  const skews = new Map(timed.map(({ url, skewSeconds = 0 }) => [url.host, skewSeconds]))
  const agreeing = [...skews].flatMap(([host, seconds]) => (Math.abs(seconds) <= noticedSeconds ? host : []))
  if (agreeing.length * 2 < skews.size || agreeing.length === 0) return {}
  const authority = hosts.find(({ id }) => id === 'authority')?.url.host ?? ''
  const isAuthority = agreeing.includes(authority)
  const clock = isAuthority || !skews.has(authority) ? 'agrees' : 'authority differs'
  return { clock, clockOf: isAuthority ? authority : agreeing.join(' and ') }
}

/** The facts about the endpoint of a check. */
export function endpointFacts(host: Host, { layer }: Pick<Check, 'layer'>, { facts }: CollectedFacts): EndpointFacts {
  const { field, accountVariable, protectedResource, ofHost } = host
  const suffix = field && facts.nameOf(field)
  // If the suffix is proven, only the account name can be wrong.
  const isProven = field !== undefined && facts.proven[field] !== undefined
  const account = accountVariable && (isProven ? accountVariable : `${accountVariable} or ${suffix}`)
  const below = layers.slice(0, layer === undefined ? layers.length : layers.indexOf(layer))
  return {
    address: account ?? suffix,
    field: account === undefined ? field : undefined,
    audienceField: protectedResource?.audienceFields[0],
    passed: below.findLast((each) => ofHost.some((check) => check.layer === each && check.status === 'pass')),
  }
}

/** Adds evidence to a failure or warning of a host. Unknown and empty values are left out. */
type Row = (trouble: {
  readonly check: Check
  readonly evidence: Evidence
  readonly own: Host
  /** The endpoints on other hosts. */
  readonly others: readonly Host[]
  readonly run: CollectedFacts
}) => { readonly [K in keyof Evidence]: string | undefined }

/** The evidence of a failure or warning, with additions from the settings and from other checks of the run. */
export function evidenceOf(check: Check, own: Host | undefined, run: CollectedFacts): Evidence {
  const { code, fault, evidence = {} } = check
  if (own === undefined) return evidence
  const others = [...run.hosts.values()].filter(({ url }) => url.host !== own.url.host)
  const added = [...(fault ? [...(rows[fault] ?? []), samePage] : []), ...((code && rows[code]) ?? [])]
  const values = added.map((row) => row({ check, evidence, own, others, run }))
  const all = Object.entries({ ...evidence, ...Object.assign({}, ...values), ...evidence })
  return Object.fromEntries(all.filter(([, value]) => value))
}

/** The proxy that NO_PROXY exempts the host from. Perhaps only this proxy reaches the host. */
const exemption: Row = ({ own, run }) => {
  const { exempted, noProxy, exemptingEntry } = proxyFor(own.url, run.env)
  return { variable: exempted, noProxy: exempted && noProxy, exemptingEntry }
}

/** The variable and the address of the failed proxy, without user name and password. `host` has no port, as in NO_PROXY. */
const failedProxy: Row = ({ own: { url }, run }) => {
  const { proxy, noProxy, ignoredEntry } = proxyFor(url, run.env)
  if (proxy === undefined) return {}
  return { noProxy, ignoredEntry, variable: proxy.variable, host: url.hostname, proxy: proxy.url?.host }
}

/** The address of the host. If it is public, also a host of the same domain with a private address. */
const address: Row = ({ evidence, own: { url, addresses }, others }) => {
  const found = evidence.address ?? addresses?.[0]
  const kind = found && addressKind(found)
  const domain = `.${url.hostname.split('.').slice(-2).join('.')}`
  const isPrivate = ({ addresses: [first] = [] }: Host) => first && addressKind(first) === 'private'
  const siblings = kind === 'public' ? others.filter((each) => each.url.hostname.endsWith(domain)) : []
  const { url: { hostname: sibling } = {}, addresses: [siblingAddress] = [] } = siblings.find(isPrivate) ?? {}
  // A loopback name is meant to be on this machine.
  return { address: found, addressKind: isLoopback(url.hostname) ? undefined : kind, sibling, siblingAddress }
}

/** Another path of the host that responded. */
const otherPath: Row = ({ check, evidence, own }) => {
  const path = check.observed?.path ?? evidence.path
  const paths = own.ofHost.flatMap(({ status, observed }) => (status === 'pass' ? (observed?.path ?? []) : []))
  return { path, otherPath: paths.find((each) => each !== path) }
}

/** The new address of the endpoint, if a redirect keeps the path. */
const movedTo: Row = ({ evidence, own: { url } }) => {
  const target = URL.parse(evidence.location ?? '')
  const keepsTls = target?.protocol === 'https:' || url.protocol === 'http:'
  return {
    addressToSet: target && keepsTls && target.pathname === evidence.path ? target.origin + url.pathname : undefined,
  }
}

/** Other hosts that returned the same page, because a portal or gateway responds instead of the cloud. */
const samePage: Row = ({ own: { page }, others }) => ({
  sameAt: page && namesOf(others.filter((each) => each.page === page)),
})

/** SHA-256 of the certificate of a host, if it isn't trusted. */
const untrustedAt = ({ ofHost }: Host) =>
  ofHost.find(({ layer, fault }) => layer === 'tls' && fault === 'UNTRUSTED')?.evidence?.sha256

/** A host that sends the intermediate certificate missing here. The other hosts, if all of them have this untrusted certificate. */
const untrustedElsewhere: Row = ({ evidence: { issuer = '' }, own, others }) => {
  const untrusted = untrustedAt(own)
  const sends = others.find((each) => untrustedAt(each) === undefined && each.chain?.includes(issuer) === true)
  const secure = others.filter(({ url }) => url.protocol === 'https:')
  const isEverywhere = untrusted !== undefined && secure.every((each) => untrustedAt(each) === untrusted)
  return { sentBy: sends?.url.host, sameIssuerAt: isEverywhere ? namesOf(secure) : undefined }
}

/** The cloud that the OpenID configuration of the tenant names. */
const tenantCloud: Row = ({ run }) => run.hosts.get('authority')?.tenant ?? {}

/** Settings, and the auth mode that they belong to. */
const signs = [
  ['clientSecretPath', 'clientSecret'],
  ['clientSecret', 'clientSecret'],
  ['clientCertificatePath', 'clientCertificate'],
  ['username', 'usernamePassword'],
] as const

/** The auth mode that the variables belong to, if another mode is in force. */
const modeOfVariables: Row = ({ run: { settings } }) => {
  const [key, mode] = signs.find(([name]) => settings[name] !== undefined) ?? []
  if (key === undefined || settings.clientId === undefined || mode === settings.authMode) return {}
  return { modeToSet: mode, modeVariables: `PLATFORM_CLIENT_ID and ${credentialTable[key].name}` }
}

/** A mistake that shows in the shape of the secret. */
const secretShape: Row = ({ run }) => {
  const mistake = mistakeIn(run.settings.clientSecret?.reveal() ?? '')
  return mistake ? { problem: `${mistake} at its ends`, variable: 'PLATFORM_CLIENT_SECRET' } : {}
}

/** The audience of this cloud for federated tokens, if the token has another one. Without a published audience, any `api://` audience may be correct. */
const federatedAudience: Row = ({ evidence: { assertionAudience }, run }) => {
  if (assertionAudience === undefined) return {}
  const usual = knownClouds.find(({ name }) => name === 'platform-commercial')?.federatedAudience
  const isPlausible = assertionAudience.startsWith('api://')
  const expected = run.cloud.profile.federatedAudience ?? (isPlausible ? undefined : usual)
  return { federatedAudience: expected === assertionAudience ? undefined : expected }
}

/** What this cloud has in place of the audience of the token, or of the endpoint's audience in the profile. */
const counterpart: Row = ({ evidence: { tokenAudience, audience }, own, run: { cloud } }) => {
  const { resourceManagerAudience } = cloud.profile
  const requested = audience ?? own.protectedResource?.audiences[0] ?? resourceManagerAudience
  const { scope, advice } = counterpartOf(tokenAudience?.slice(1, -1) ?? requested, { cloud: cloud.profile }) ?? {}
  return { scope: `${withoutFinalSlashes(requested)}/.default`, scopeToUse: scope, counterpart: advice }
}

/** The rows that apply to a fault or a code. */
const rows: Readonly<Partial<Record<NetworkFault | ErrorCode, readonly Row[]>>> = {
  PROXY_FAILED: [failedProxy],
  DNS_FAILED: [exemption],
  REFUSED: [exemption, address],
  UNREACHABLE: [exemption, address],
  TIMEOUT: [exemption, address, otherPath],
  RESET: [({ own: { url } }) => ({ addressToSet: url.protocol === 'http:' ? `https${url.href.slice(4)}` : '' })],
  UNTRUSTED: [untrustedElsewhere],
  REDIRECTED: [movedTo],
  SERVICE_FIREWALL: [address],
  CLOCK_SKEW: [({ run: { facts } }) => (facts.clock === 'authority differs' ? { agreeingHosts: facts.clockOf } : {})],
  TENANT_UNKNOWN: [tenantCloud],
  TENANT_OF_ANOTHER_CLOUD: [tenantCloud],
  TOKEN_AUDIENCE_MISMATCH: [counterpart],
  SERVICE_REJECTED_TOKEN: [counterpart],
  RESOURCE_MANAGER_REJECTED_TOKEN: [counterpart],
  CLIENT_SECRET_INVALID: [secretShape],
  CLIENT_ASSERTION_REJECTED: [federatedAudience],
  CREDENTIAL_SETTING_MISSING: [modeOfVariables],
  CLI_NOT_INSTALLED: [(each) => (each.run.settings.authModeFrom === 'AUTH_MODE' ? {} : modeOfVariables(each))],
}
