import { isLoopback } from '../base/address.ts'
import type { Env } from '../base/env.ts'
import { knownClouds } from '../clouds/known-clouds.ts'
import type { ErrorCode, Evidence } from '../errors.ts'
import type { ChangeableField, RunFacts } from '../findings/finding.ts'
import type { ExplainedProfile } from '../profile/explained-profile.ts'
import type { Settings } from '../settings/settings.ts'
import { proxyFor } from '../transport/egress.ts'
import type { FoundCheck } from './checks.ts'
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
  readonly cloud: Pick<ExplainedProfile, 'profile' | 'source' | 'fields'>
  readonly identity: Identity
  readonly settings: FactSettings
  readonly endpoints: readonly ConfiguredEndpoint[]
  readonly memory: Memory
  readonly env: Env
}

/** Evidence before unknown values are left out. */
type MaybeEvidence = { readonly [K in keyof Evidence]: string | undefined }

/** Faults of a direct connection that a proxy would avoid. */
const direct: ReadonlySet<string> = new Set(['DNS_FAILED', 'REFUSED', 'UNREACHABLE', 'TIMEOUT'])

/** A failure with the evidence of the settings and of the other checks. */
export function withEvidence(
  check: FoundCheck,
  endpoint: ConfiguredEndpoint | undefined,
  source: FactsSource,
  run: RunFacts,
): FoundCheck {
  const { fault = '', status, code } = check
  if (code === undefined || (status !== 'fail' && status !== 'warn')) return check
  const hasProxyFailed = fault === 'PROXY_FAILED'
  const evidence: MaybeEvidence = {
    ...(endpoint && (hasProxyFailed || direct.has(fault)) && proxyEvidence(endpoint.url, source.env, hasProxyFailed)),
    ...check.evidence,
    ...(endpoint && addressEvidence(endpoint, check, run)),
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
function ownSettings(code: ErrorCode, { settings, cloud }: FactsSource, evidence: Evidence = {}): MaybeEvidence {
  if (code === 'CLIENT_SECRET_INVALID') {
    const secretShape = shapeOfSecret(settings.clientSecret?.reveal() ?? '')
    return { secretShape, secretVariable: secretShape && 'PLATFORM_CLIENT_SECRET' }
  }
  const usesTool = code === 'CLI_NOT_INSTALLED' && settings.authModeFrom !== 'AUTH_MODE'
  if (code === 'CREDENTIAL_SETTING_MISSING' || usesTool) return modeOfVariables(settings)
  const { assertionAudience } = evidence
  if (assertionAudience === undefined) return {}
  // A cloud that names no audience has the usual one, or another one of the form that applications have.
  const usual = assertionAudience.startsWith('api://') ? undefined : usualFederatedAudience
  return { federatedAudience: cloud.profile.federatedAudience ?? usual }
}

const usualFederatedAudience = knownClouds.find(({ name }) => name === 'platform-commercial')?.federatedAudience

/** The mode whose variables are set, although it is not the one in force, and these variables. */
function modeOfVariables({ authMode, clientId, ...settings }: FactSettings): MaybeEvidence {
  const variables = [
    ['clientSecret', settings.clientSecretPath, 'PLATFORM_CLIENT_SECRET_PATH'],
    ['clientSecret', settings.clientSecret, 'PLATFORM_CLIENT_SECRET'],
    ['clientCertificate', settings.clientCertificatePath, 'PLATFORM_CLIENT_CERTIFICATE_PATH'],
    ['usernamePassword', settings.username, 'PLATFORM_USERNAME'],
  ] as const
  const [mode, , variable] = variables.find(([, value]) => value !== undefined) ?? []
  if (clientId === undefined || mode === undefined || mode === authMode) return {}
  return { modeToSet: mode, modeVariables: `PLATFORM_CLIENT_ID and ${variable}` }
}

/** What a secret has that no generated one has, without showing it. */
function shapeOfSecret(value: string): string | undefined {
  if (/^(["'`]).*\1$/s.test(value.trim())) return 'quotes at its ends'
  return value !== value.trim() ? 'blanks at its ends' : undefined
}

/** What the OpenID configuration of the tenant says of its cloud. */
function tenantEvidence({ checks }: FactsSource): MaybeEvidence {
  const tenant = checks.find(({ id }) => id === 'authority.tenant')
  const { tenantCloud, platformCloud, graphHost, tenantRegion }: Evidence = tenant?.evidence ?? {}
  return { tenantCloud, platformCloud, graphHost, tenantRegion }
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
  const path = check.seen?.path ?? check.evidence?.path
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
      endpoint !== check.endpoint && status !== 'fail' && issuer !== undefined && seen?.chain?.includes(issuer),
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

/**
 * The variable and the address of the failed proxy, without user name and password. Of a failed direct connection the variable of the proxy
 * that NO_PROXY exempts the host from, which only the proxy may know.
 */
function proxyEvidence(url: URL, env: Env, hasFailed: boolean): MaybeEvidence {
  const { proxy, exempted, noProxy: exemptionVariable, exemptingEntry, ignoredEntry } = proxyFor(url, env)
  if (!hasFailed) return exempted === undefined ? {} : { exempted, exemptionVariable, exemptingEntry }
  // NO_PROXY matches host names without ports.
  return proxy === undefined
    ? {}
    : { exemptionVariable, ignoredEntry, variable: proxy.variable, host: url.hostname, proxy: proxy.url?.origin }
}
