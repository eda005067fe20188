import { equalUrls, isLoopback, parseHttpUrl } from '../base/address.ts'
import { shortPrintable } from '../base/printable.ts'
import type { Env } from '../base/env.ts'
import { equalAuthorities } from '../clouds/equal-values.ts'
import { knownClouds } from '../clouds/known-clouds.ts'
import type { ErrorCode, Evidence } from '../errors.ts'
import { type EndpointFacts, type Layer, layers, type RunFacts } from '../findings/finding.ts'
import type { ChangeableField } from '../findings/change.ts'
import { changeOfField, nameOfField, type SettingsInForce } from '../findings/change.ts'
import type { ExplainedProfile } from '../profile/explained-profile.ts'
import type { Settings } from '../settings/settings.ts'
import { proxyFor } from '../transport/proxy-for.ts'
import type { FoundCheck } from './checks.ts'
import { otherCloudOf } from './cloud-owner.ts'
import { addressKind } from './probes/connect.ts'
import type { ConfiguredEndpoint } from './endpoint.ts'
import type { Identity } from './report.ts'

/** What the process remembers of earlier runs. Its profile and settings never change, so what was proven stays proven. */
export interface Memory {
  readonly proven: Map<ChangeableField, string>
  /** When each endpoint last worked, by its id, in words. */
  readonly workedUntil: Map<string, string>
}

/** The settings that facts are read from. */
export type FactSettings = Pick<Settings, 'authMode'> & Partial<Settings>

export interface FactsSource {
  readonly checks: readonly FoundCheck[]
  readonly cloud: Pick<ExplainedProfile, 'profile' | 'source'>
  readonly overridesApply: boolean
  readonly identity: Identity
  readonly settings: FactSettings
  readonly endpoints: readonly ConfiguredEndpoint[]
  readonly memory: Memory
  readonly env: Env
}

/** The facts of one run, and what of them concerns one check. */
export interface FactsOfRun {
  readonly run: RunFacts
  /** A check with the evidence that other checks and the settings add to it. */
  readonly complete: (check: FoundCheck) => FoundCheck
  readonly runFor: (check: FoundCheck) => RunFacts
}

/** Collects what all checks of a run, the settings and earlier runs say, before anything is concluded. */
export function collectFacts(source: FactsSource): FactsOfRun {
  const { checks, cloud, identity, endpoints, memory } = source
  const { profile } = cloud
  const settings: SettingsInForce = {
    file: cloud.source.kind === 'file' ? shortPrintable(cloud.source.path, 200) : undefined,
    overridesApply: source.overridesApply,
  }
  const proven = { ...Object.fromEntries(memory.proven), ...provenBy(checks, endpoints) }
  const own = [profile.authorityHost, profile.resourceManagerEndpoint]
  const named = namedByCloud(checks)
  const audienceToSet = named.audiences.find((each) => !equalUrls(each, profile.resourceManagerAudience))
  const authorityToSet =
    named.challenged.find((each) => !sameHost(each, profile.authorityHost)) ??
    named.published.find((each) => !equalAuthorities(each, profile.authorityHost))
  const run: RunFacts = {
    hasFile: settings.file !== undefined,
    mode: source.settings.authMode,
    ...(identity.tenantId === undefined ? {} : { tenantId: identity.tenantId }),
    ...(identity.clientId === undefined ? {} : { clientId: identity.clientId }),
    audience: profile.resourceManagerAudience,
    authority: profile.authorityHost,
    ...(audienceToSet === undefined ? {} : { audienceToSet }),
    ...(authorityToSet === undefined ? {} : { authorityToSet }),
    proven,
    ...clockOf(source),
    nameOf: (field) => nameOfField(field, settings),
    changeOf: (field, value) => changeOfField(field, settings, value),
    ownerOf: (value) => otherCloudOf(value, own)?.displayName,
  }
  const endpointOf = ({ endpoint }: FoundCheck) => endpoints.find(({ id }) => id === endpoint)
  const runFor = (check: FoundCheck): RunFacts => {
    const endpoint = endpointOf(check)
    return endpoint === undefined ? run : { ...run, endpoint: endpointFacts(check, endpoint, source, run) }
  }
  return {
    run,
    complete: (check) => withEvidence(check, endpointOf(check), source, runFor(check)),
    runFor,
  }
}

/** The fields that this run confirms, each with its proof. An accepted token proves most. */
function provenBy(
  checks: readonly FoundCheck[],
  endpoints: readonly ConfiguredEndpoint[],
): Partial<Record<ChangeableField, string>> {
  const proven: Partial<Record<ChangeableField, string>> = {}
  // The metadata says most: it is the cloud's own description of itself.
  const metadataFirst = checks.toSorted((a, b) => Number(b.endpoint === 'metadata') - Number(a.endpoint === 'metadata'))
  for (const { id, status, endpoint, proves = [] } of metadataFirst) {
    if (status === 'fail' || status === 'skip') continue
    const host = endpoints.find((each) => each.id === endpoint)?.url.host ?? 'the service'
    const words: Readonly<Record<string, string>> = {
      metadata: "the cloud's metadata confirms",
      challenge: `the challenge of ${host} confirms`,
      token: `${host} accepted a token of`,
    }
    const how = endpoint === 'metadata' ? 'metadata' : id.endsWith('.challenge') ? 'challenge' : 'token'
    for (const field of proves) proven[field] ??= `${words[how]} ${nounOf(field)}`
  }
  return proven
}

const nounOf = (field: ChangeableField): string =>
  field === 'authorityHost'
    ? 'this login authority'
    : field === 'resourceManagerAudience'
      ? 'this audience'
      : `\`${field}\``

/** Remembers what this run proved and which endpoints worked: an outage of something that worked is not a fault of the profile. */
export function remember(
  memory: Memory,
  checks: readonly FoundCheck[],
  endpoints: readonly ConfiguredEndpoint[],
  at: string,
): void {
  const time = `${at.slice(0, 16).replace('T', ' ')} UTC`
  for (const field of Object.keys(provenBy(checks, endpoints)) as ChangeableField[]) {
    memory.proven.set(field, `it worked in this process until ${time}`)
  }
  for (const { id } of endpoints) {
    const own = checks.filter(({ endpoint }) => endpoint === id)
    const works = own.some(({ status }) => status === 'pass') && own.every(({ status }) => status !== 'fail')
    if (works) memory.workedUntil.set(id, time)
  }
}

/** The authorities and audiences that metadata and challenge of the cloud name. */
function namedByCloud(checks: readonly FoundCheck[]) {
  const evidence = checks
    .filter(({ id }) => id === 'metadata.document' || id === 'resource-manager.challenge')
    .map((check): Evidence => check.evidence ?? {})
  const listed = (names: readonly (keyof Evidence)[]): string[] =>
    evidence.flatMap((each) => names.flatMap((name) => each[name] ?? []))
  return {
    audiences: listed(['publishedAudience', 'challengeAudience']),
    // A challenge names the tenant too. The metadata names the authority itself, whose path counts.
    challenged: listed(['challengeAuthority']),
    published: listed(['publishedAuthority']),
  }
}

function sameHost(one: string, other: string): boolean {
  return equalAuthorities(one, other) || parseHttpUrl(one)?.host === parseHttpUrl(other)?.host
}

/** Seconds of difference that count as agreement. */
const agreeingSeconds = 120

/** The clocks of the hosts decide whose is wrong: that of the login authority, which tokens depend on, or the local one. */
function clockOf({ checks, endpoints }: FactsSource): Pick<RunFacts, 'clock' | 'clockOf'> {
  const hostOf = (id: string) => endpoints.find((each) => each.id === id)?.url.host ?? id
  const clock = checks.find(({ id }) => id === 'authority.clock')
  if (clock?.status === 'pass') return { clock: 'agrees', clockOf: hostOf('authority') }
  const others = checks.filter(({ endpoint, seen }) => endpoint !== 'authority' && seen?.skewSeconds !== undefined)
  const agree = others.length > 0 && others.every(({ seen }) => Math.abs(seen?.skewSeconds ?? 0) <= agreeingSeconds)
  const hosts = [...new Set(others.map(({ endpoint = '' }) => hostOf(endpoint)))].join(' and ')
  if (clock?.status === 'fail')
    return agree ? { clock: 'authority differs', clockOf: hosts } : { clock: 'local clock differs' }
  return agree ? { clock: 'agrees', clockOf: hosts } : {}
}

function endpointFacts(
  check: FoundCheck,
  endpoint: ConfiguredEndpoint,
  { checks, memory }: FactsSource,
  run: RunFacts,
): EndpointFacts {
  const { id, field, audienceField, accountVariable } = endpoint
  const workedUntil = memory.workedUntil.get(id)
  const passed = passedLayer(check, endpoint, checks)
  const suffix = field === undefined ? undefined : run.nameOf(field)
  // A proven suffix leaves the name of the account.
  const account = accountVariable !== undefined && field !== undefined && run.proven[field] !== undefined
  const address = accountVariable === undefined ? suffix : account ? accountVariable : `${accountVariable} or ${suffix}`
  return {
    ...(address === undefined ? {} : { address }),
    ...(field === undefined || accountVariable !== undefined ? {} : { field }),
    ...(audienceField === undefined ? {} : { audienceField }),
    ...(passed === undefined ? {} : { passed }),
    ...(workedUntil === undefined ? {} : { workedUntil }),
  }
}

/** The highest layer below that of the check that passed at its host, also for another endpoint of the same host. */
function passedLayer(
  { layer, endpoint: id }: FoundCheck,
  { url }: ConfiguredEndpoint,
  checks: readonly FoundCheck[],
): Layer | undefined {
  const limit = layer === undefined ? layers.length : layers.indexOf(layer)
  const passed = checks
    .filter((each) => each.status === 'pass' && (each.endpoint === id || each.evidence?.host === url.host))
    .map((each) => (each.layer === undefined ? -1 : layers.indexOf(each.layer)))
    // A proxy that does not apply proves nothing of the way.
    .filter((index) => index > 0 && index < limit)
  return passed.length === 0 ? undefined : layers[Math.max(...passed)]
}

/** Faults of a direct connection that a proxy would avoid. */
const direct: ReadonlySet<string> = new Set(['DNS_FAILED', 'REFUSED', 'UNREACHABLE', 'TIMEOUT'])

/** A failure with the evidence of the settings and of the other checks. */
function withEvidence(
  check: FoundCheck,
  endpoint: ConfiguredEndpoint | undefined,
  source: FactsSource,
  run: RunFacts,
): FoundCheck {
  const { fault = '', status, code } = check
  if (code === undefined || (status !== 'fail' && status !== 'warn')) return check
  const evidence: { readonly [K in keyof Evidence]: string | undefined } = {
    ...(endpoint !== undefined && direct.has(fault) ? exemptionEvidence(endpoint.url, source.env) : {}),
    ...(endpoint !== undefined && fault === 'PROXY_FAILED' ? proxyEvidence(endpoint.url, source.env) : {}),
    ...check.evidence,
    ...(endpoint === undefined ? {} : addressEvidence(endpoint, check, run)),
    ...(endpoint !== undefined && direct.has(fault) && fault !== 'DNS_FAILED' ? addressOfHost(check, source) : {}),
    ...(fault === 'TIMEOUT' ? otherPath(check, source) : {}),
    ...(fault === 'UNTRUSTED' ? { ...intermediateElsewhere(check, source), ...sameIssuer(check, source) } : {}),
    ...samePage(check, source),
    ...(code === 'CLOCK_SKEW' && run.clock === 'authority differs' ? { agreeingHosts: run.clockOf } : {}),
    ...(code === 'SERVICE_FIREWALL' ? addressOfHost(check, source) : {}),
    ...ownSettings(code, source, check.evidence),
    ...(code === 'TENANT_OF_ANOTHER_CLOUD' || code === 'TENANT_UNKNOWN' ? tenantEvidence(source) : {}),
  }
  const known = Object.entries(evidence).filter((entry): entry is [string, string] => entry[1] !== undefined)
  // The tenant exists, in another cloud.
  const better = code === 'TENANT_UNKNOWN' && evidence.tenantCloud !== undefined ? 'TENANT_OF_ANOTHER_CLOUD' : code
  return known.length === 0 ? check : { ...check, code: better, evidence: Object.fromEntries(known) }
}

/** What the settings of this process explain: the shape of a secret, the mode that its variables are for, the audience of this cloud. */
function ownSettings(code: ErrorCode, { settings, cloud }: FactsSource, evidence: Evidence = {}): Evidence {
  if (code === 'CLIENT_SECRET_INVALID') {
    const shape = shapeOfSecret(settings.clientSecret?.reveal() ?? '')
    return shape === undefined ? {} : { secretVariable: 'PLATFORM_CLIENT_SECRET', secretShape: shape }
  }
  if (
    code === 'CREDENTIAL_SETTING_MISSING' ||
    (code === 'CLI_NOT_INSTALLED' && settings.authModeFrom !== 'AUTH_MODE')
  ) {
    return modeOfVariables(settings)
  }
  const { assertionAudience } = evidence
  // A cloud that names no audience has the usual one, or another one of the form that applications have.
  const { federatedAudience = assertionAudience?.startsWith('api://') === true ? undefined : usualFederatedAudience } =
    cloud.profile
  return assertionAudience === undefined || federatedAudience === undefined ? {} : { federatedAudience }
}

const usualFederatedAudience = knownClouds.find(({ name }) => name === 'platform-commercial')?.federatedAudience

/** The mode whose variables are set completely, though it is not the one in force. */
function modeOfVariables({ authMode, clientId, clientSecret, clientSecretPath, ...settings }: FactSettings): Evidence {
  if (clientId === undefined) return {}
  const { clientCertificatePath, username } = settings
  if ((clientSecret ?? clientSecretPath) !== undefined)
    return authMode === 'clientSecret' ? {} : { modeToSet: 'clientSecret' }
  if (clientCertificatePath !== undefined)
    return authMode === 'clientCertificate' ? {} : { modeToSet: 'clientCertificate' }
  return username === undefined || authMode === 'usernamePassword' ? {} : { modeToSet: 'usernamePassword' }
}

/** What a secret has that no generated one has, without showing it. */
function shapeOfSecret(value: string): string | undefined {
  if (/^(["'`]).*\1$/s.test(value.trim())) return 'quotes at its ends'
  return value !== value.trim() ? 'blanks at its ends' : undefined
}

/** What the OpenID configuration of the tenant says of its cloud. */
function tenantEvidence({ checks }: FactsSource): Evidence {
  const tenant = checks.find(({ id }) => id === 'authority.tenant')
  const { tenantCloud, platformCloud, graphHost, tenantRegion }: Evidence = tenant?.evidence ?? {}
  return Object.fromEntries(
    Object.entries({ tenantCloud, platformCloud, graphHost, tenantRegion }).filter(([, value]) => value !== undefined),
  )
}

/** The address to which a redirect of the same path leads, and the address with TLS. */
function addressEvidence({ url, role }: ConfiguredEndpoint, { code, fault, evidence = {} }: FoundCheck, run: RunFacts) {
  const { location = '', path }: Evidence = evidence
  const target = URL.parse(location)
  const hasMoved = target?.pathname === path && (target?.protocol === 'https:' || url.protocol === 'http:')
  const isReset = fault === 'RESET' && url.protocol === 'http:'
  return {
    movedTo: hasMoved && target ? target.origin + url.pathname : undefined,
    addressWithTls: isReset ? url.href.replace(/^http:/, 'https:') : undefined,
    accountSetting: role === 'SERVICE' && code === 'CHALLENGE_AUTHORITY_MISMATCH' ? run.endpoint?.address : undefined,
  }
}

/** What the name resolves to, and a sibling of the same suffix with an address of another kind. */
function addressOfHost(check: FoundCheck, { checks, endpoints }: FactsSource) {
  const addressOf = (id: string | undefined) =>
    checks.find((each) => each.endpoint === id && each.seen?.addresses)?.seen?.addresses?.[0]
  const address = check.evidence?.address ?? addressOf(check.endpoint)
  const url = endpoints.find(({ id }) => id === check.endpoint)?.url
  if (address === undefined || url === undefined) return {}
  const kind = addressKind(address)
  const suffix = url.hostname.split('.').slice(-2).join('.')
  const sibling = endpoints.find(({ id, url: other }) => {
    const found = addressOf(id)
    return (
      kind === 'public' &&
      other.hostname.endsWith(`.${suffix}`) &&
      found !== undefined &&
      addressKind(found) === 'private'
    )
  })
  // A host that the profile calls by a loopback name is meant to be on this machine.
  const isMeant = isLoopback(url.hostname)
  return {
    address,
    addressKind: isMeant ? undefined : kind,
    ...(sibling === undefined ? {} : { sibling: sibling.url.hostname, siblingAddress: addressOf(sibling.id) }),
  }
}

/** Another path of the same host that responded. */
function otherPath(check: FoundCheck, { checks, endpoints }: FactsSource) {
  const host = endpoints.find(({ id }) => id === check.endpoint)?.url.host
  const sameHost = new Set(endpoints.filter(({ url }) => url.host === host).map(({ id }) => id))
  const path = check.seen?.path
  const other = checks.find(
    ({ endpoint, seen, status, id }) =>
      id !== check.id &&
      status === 'pass' &&
      sameHost.has(endpoint ?? '') &&
      seen?.path !== undefined &&
      seen.path !== path,
  )
  return { ...(path === undefined ? {} : { path }), otherPath: other?.seen?.path }
}

/** Another host that sent the intermediate certificate which this one leaves out. */
function intermediateElsewhere(check: FoundCheck, { checks, endpoints }: FactsSource) {
  const issuer = check.evidence?.issuer
  const sends = checks.find(
    ({ endpoint, status, seen }) =>
      endpoint !== check.endpoint && status !== 'fail' && seen?.chain?.some(({ subject }) => subject === issuer),
  )
  return { sentBy: endpoints.find(({ id }) => id === sends?.endpoint)?.url.host }
}

/** The other hosts, if each of them has a certificate of the same authority, which is not trusted. */
function sameIssuer(check: FoundCheck, { checks, endpoints }: FactsSource) {
  const hosts = new Set(endpoints.filter(({ url }) => url.protocol === 'https:').map(({ url }) => url.host))
  const refused = checks.filter(
    ({ id, fault, evidence }) =>
      id.endsWith('.tls') && fault === 'UNTRUSTED' && evidence?.sha256 === check.evidence?.sha256,
  )
  const refusedHosts = new Set(refused.map(({ evidence }) => evidence?.host))
  const others = [...hosts].filter((host) => host !== check.evidence?.host)
  const isEverywhere = others.length > 0 && [...hosts].every((host) => refusedHosts.has(host))
  return { sameIssuerAt: isEverywhere ? others.join(', ') : undefined }
}

/** Other hosts that returned the same page: a portal or gateway responds in place of the cloud. */
function samePage(check: FoundCheck, { checks, endpoints }: FactsSource) {
  const hostOf = (id: string | undefined) => endpoints.find((each) => each.id === id)?.url.host
  const pageAt = (host: string | undefined) =>
    checks.find(({ endpoint, seen }) => seen?.page !== undefined && hostOf(endpoint) === host)?.seen?.page
  const own = hostOf(check.endpoint)
  const page = check.fault === undefined ? undefined : pageAt(own)
  if (page === undefined) return {}
  const others = endpoints.map(({ url }) => url.host).filter((host) => host !== own && pageAt(host) === page)
  return { sameAt: others.length === 0 ? undefined : [...new Set(others)].join(', ') }
}

/** The variable of the proxy that NO_PROXY exempts a host from, which only the proxy may know. */
function exemptionEvidence(url: URL, env: Env): Evidence {
  const { exempted, noProxy, exemptingEntry } = proxyFor(url, env)
  if (exempted === undefined || noProxy === undefined || exemptingEntry === undefined) return {}
  return { exempted, exemptionVariable: noProxy, exemptingEntry }
}

/** The variable and the address of the proxy, without user name and password. NO_PROXY matches host names without ports. */
function proxyEvidence(url: URL, env: Env): Evidence {
  const { proxy, noProxy, ignoredEntry } = proxyFor(url, env)
  if (proxy === undefined) return {}
  return {
    ...(noProxy === undefined ? {} : { exemptionVariable: noProxy }),
    ...(ignoredEntry === undefined ? {} : { ignoredEntry }),
    variable: proxy.variable,
    host: url.hostname,
    ...(proxy.url === undefined ? {} : { proxy: proxy.url.origin }),
  }
}
