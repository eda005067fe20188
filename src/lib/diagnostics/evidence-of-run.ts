import { isLoopback } from '../base/address.ts'
import type { Env } from '../base/env.ts'
import { knownClouds } from '../clouds/known-clouds.ts'
import type { ErrorCode, Evidence } from '../errors.ts'
import type { RunFacts } from '../findings/finding.ts'
import { proxyFor } from '../transport/egress.ts'
import type { FoundCheck } from './checks.ts'
import { addressKind } from './probes/connect.ts'
import type { EndpointRun, FactSettings, IndexedRun } from './run-index.ts'

/** Evidence before unknown values are left out. */
type MaybeEvidence = { readonly [K in keyof Evidence]: string | undefined }

/** Faults of a direct connection that a proxy would avoid. */
const direct: ReadonlySet<string> = new Set(['DNS_FAILED', 'REFUSED', 'UNREACHABLE', 'TIMEOUT'])

/** A failure with the evidence of the settings and of the other checks. */
export function withEvidence(
  check: FoundCheck,
  place: EndpointRun | undefined,
  indexed: IndexedRun,
  run: RunFacts,
): FoundCheck {
  const { fault = '', status, code } = check
  if (code === undefined || (status !== 'fail' && status !== 'warn')) return check
  const found = { ...check.evidence, ...(place && evidenceOfPlace(check, place, indexed, run)) }
  const hasProxyFailed = fault === 'PROXY_FAILED'
  const evidence: MaybeEvidence = {
    ...(place &&
      (hasProxyFailed || direct.has(fault)) &&
      proxyEvidence(place.endpoint.url, indexed.env, hasProxyFailed)),
    ...found,
    ...(code === 'CLOCK_SKEW' && run.clock === 'authority differs' ? { agreeingHosts: run.clockOf } : {}),
    ...ownSettings(code, indexed, check.evidence),
    ...(code === 'TENANT_OF_ANOTHER_CLOUD' || code === 'TENANT_UNKNOWN' ? tenantEvidence(indexed) : {}),
  }
  const known = Object.entries(evidence).filter((entry): entry is [string, string] => entry[1] !== undefined)
  // The tenant exists, in another cloud.
  const better = code === 'TENANT_UNKNOWN' && evidence.tenantCloud !== undefined ? 'TENANT_OF_ANOTHER_CLOUD' : code
  return known.length === 0 ? check : { ...check, code: better, evidence: Object.fromEntries(known) }
}

/** What the other checks and hosts say about a failure at one endpoint. */
function evidenceOfPlace(check: FoundCheck, place: EndpointRun, indexed: IndexedRun, run: RunFacts): MaybeEvidence {
  const { fault = '', code } = check
  const needsAddress = (direct.has(fault) && fault !== 'DNS_FAILED') || code === 'SERVICE_FIREWALL'
  return {
    ...targetEvidence(place, check, run),
    ...(needsAddress ? addressOfHost(check, place, indexed) : {}),
    ...(fault === 'TIMEOUT' ? otherPath(check, place, indexed) : {}),
    ...(fault === 'UNTRUSTED' ? { ...intermediateElsewhere(check, indexed), ...sameIssuer(check, indexed) } : {}),
    ...(check.fault === undefined ? {} : samePage(place, indexed)),
  }
}

/** What the settings of this process explain: the shape of a secret, the mode that its variables are for, the audience of this cloud. */
function ownSettings(code: ErrorCode, { settings, cloud }: IndexedRun, evidence: Evidence = {}): MaybeEvidence {
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

/** A shape that no generated secret has, without the secret. */
function shapeOfSecret(value: string): string | undefined {
  if (/^(["'`]).*\1$/s.test(value.trim())) return 'quotes at its ends'
  return value !== value.trim() ? 'blanks at its ends' : undefined
}

/** The cloud that the OpenID configuration of the tenant names. */
function tenantEvidence({ tenant }: IndexedRun): MaybeEvidence {
  const { tenantCloud, platformCloud, graphHost, tenantRegion }: Evidence = tenant?.evidence ?? {}
  return { tenantCloud, platformCloud, graphHost, tenantRegion }
}

/** The address to which a redirect of the same path leads, and the address with TLS. */
function targetEvidence({ endpoint }: EndpointRun, { code, fault, evidence = {} }: FoundCheck, run: RunFacts) {
  const { url, role } = endpoint
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

/** The address of the name, and a sibling of the same suffix with an address of another kind. */
function addressOfHost(check: FoundCheck, { endpoint, addresses }: EndpointRun, { places }: IndexedRun) {
  const { url } = endpoint
  const address = check.evidence?.address ?? addresses?.[0]
  if (address === undefined) return {}
  const kind = addressKind(address)
  const suffix = `.${url.hostname.split('.').slice(-2).join('.')}`
  const isPrivate = ({ addresses: [first] = [] }: EndpointRun) =>
    first !== undefined && addressKind(first) === 'private'
  const sibling = [...places.values()].find(
    (other) => kind === 'public' && other.endpoint.url.hostname.endsWith(suffix) && isPrivate(other),
  )
  return {
    address,
    // A host that the profile calls by a loopback name is meant to be on this machine.
    addressKind: isLoopback(url.hostname) ? undefined : kind,
    sibling: sibling?.endpoint.url.hostname,
    siblingAddress: sibling?.addresses?.[0],
  }
}

/** Another path of the same host that responded. */
function otherPath({ id, observed, evidence }: FoundCheck, { endpoint }: EndpointRun, { places }: IndexedRun) {
  const path = observed?.path ?? evidence?.path
  const sameHost = [...places.values()].filter((each) => each.endpoint.url.host === endpoint.url.host)
  const other = sameHost
    .flatMap(({ checks }) => checks)
    .find(
      (each) =>
        each.id !== id && each.status === 'pass' && each.observed?.path !== undefined && each.observed.path !== path,
    )
  return { ...(path === undefined ? {} : { path }), otherPath: other?.observed?.path }
}

/** Another host that sent the intermediate certificate which this one leaves out. */
function intermediateElsewhere({ evidence, endpoint }: FoundCheck, { checks, places }: IndexedRun): MaybeEvidence {
  const issuer = evidence?.issuer
  const sends = checks.find(
    (each) =>
      each.endpoint !== endpoint &&
      each.status !== 'fail' &&
      issuer !== undefined &&
      each.observed?.chain?.includes(issuer) === true,
  )
  return { sentBy: places.get(sends?.endpoint ?? '')?.endpoint.url.host }
}

/** The other hosts, if each of them has a certificate of the same authority, which is not trusted. */
function sameIssuer({ evidence }: FoundCheck, { checks, endpoints }: IndexedRun): MaybeEvidence {
  const hosts = [...new Set(endpoints.filter(({ url }) => url.protocol === 'https:').map(({ url }) => url.host))]
  const refused = new Set(
    checks
      .filter(({ layer, fault }) => layer === 'tls' && fault === 'UNTRUSTED')
      .flatMap((each) => (each.evidence?.sha256 === evidence?.sha256 ? [each.evidence?.host] : [])),
  )
  const others = hosts.filter((host) => host !== evidence?.host)
  const isEverywhere = others.length > 0 && hosts.every((host) => refused.has(host))
  return { sameIssuerAt: isEverywhere ? others.join(', ') : undefined }
}

/** Other hosts that returned the same page: a portal or gateway responds in place of the cloud. */
function samePage({ endpoint }: EndpointRun, { places }: IndexedRun): MaybeEvidence {
  const pages = [...places.values()].flatMap(({ page, endpoint: { url } }) =>
    page === undefined ? [] : [{ page, host: url.host }],
  )
  const own = pages.find(({ host }) => host === endpoint.url.host)
  const others = pages.filter(({ page, host }) => page === own?.page && host !== own.host).map(({ host }) => host)
  return { sameAt: others.length === 0 ? undefined : [...new Set(others)].join(', ') }
}

/**
 * The variable and the address of the failed proxy, without user name and password. For a failed direct connection, the variable of the
 * proxy that NO_PROXY exempts the host from, because only the proxy may know the host.
 */
function proxyEvidence(url: URL, env: Env, hasFailed: boolean): MaybeEvidence {
  const { proxy, exempted, noProxy: exemptionVariable, exemptingEntry, ignoredEntry } = proxyFor(url, env)
  if (!hasFailed) return exempted === undefined ? {} : { exempted, exemptionVariable, exemptingEntry }
  // NO_PROXY matches host names without ports.
  return proxy === undefined
    ? {}
    : { exemptionVariable, ignoredEntry, variable: proxy.variable, host: url.hostname, proxy: proxy.url?.origin }
}
