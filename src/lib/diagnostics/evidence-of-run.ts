import { isLoopback } from '../base/address.ts'
import type { Env } from '../base/env.ts'
import { knownClouds } from '../clouds/known-clouds.ts'
import type { Evidence } from '../errors.ts'
import type { RunFacts } from '../findings/finding.ts'
import { proxyFor } from '../transport/egress.ts'
import type { FoundCheck } from './checks.ts'
import type { EndpointRun, FactSettings, IndexedRun } from './facts.ts'
import { addressKind } from './probes/connect.ts'

/** Evidence before values that are not known are left out. */
type MaybeEvidence = { readonly [K in keyof Evidence]: string | undefined }

/** Faults of a direct connection that a proxy would avoid. */
const direct: ReadonlySet<string> = new Set(['DNS_FAILED', 'REFUSED', 'UNREACHABLE', 'TIMEOUT'])

/** The evidence of a failure or warning, with what the settings and the other checks of the run say about it. */
export function evidenceOf(
  check: FoundCheck,
  place: EndpointRun | undefined,
  indexed: IndexedRun,
  run: RunFacts,
): Evidence {
  const { fault = '', code } = check
  const hasProxyFailed = fault === 'PROXY_FAILED'
  const isOfTenant = code === 'TENANT_OF_ANOTHER_CLOUD' || code === 'TENANT_UNKNOWN'
  const evidence: MaybeEvidence = {
    ...(place && (hasProxyFailed || direct.has(fault)) && proxyEvidence(place, indexed.env, hasProxyFailed)),
    ...check.evidence,
    ...(place && evidenceOfPlace(check, place, indexed, run)),
    ...(code === 'CLOCK_SKEW' && run.clock === 'authority differs' ? { agreeingHosts: run.clockOf } : {}),
    ...settingsEvidence(check, indexed),
    ...(isOfTenant ? tenantEvidence(indexed) : {}),
  }
  return Object.fromEntries(Object.entries(evidence).filter(([, value]) => value !== undefined))
}

/** The cloud that the OpenID configuration of the tenant names. */
function tenantEvidence({ checks }: IndexedRun): MaybeEvidence {
  const { evidence = {} } = checks.find(({ id }) => id === 'authority.tenant') ?? {}
  const { tenantCloud, platformCloud, graphHost, tenantRegion } = evidence
  return { tenantCloud, platformCloud, graphHost, tenantRegion }
}

/** What the other checks and hosts say about a failure at one endpoint. */
function evidenceOfPlace(check: FoundCheck, place: EndpointRun, indexed: IndexedRun, run: RunFacts): MaybeEvidence {
  const { fault = '', code, evidence = {} } = check
  const { url, role } = place.endpoint
  const needsAddress = (direct.has(fault) && fault !== 'DNS_FAILED') || code === 'SERVICE_FIREWALL'
  const target = URL.parse(evidence.location ?? '')
  const hasMoved = target?.pathname === evidence.path && (target?.protocol === 'https:' || url.protocol === 'http:')
  const isReset = fault === 'RESET' && url.protocol === 'http:'
  return {
    // The address to which a redirect of the same path leads, and the address with TLS.
    movedTo: hasMoved && target ? target.origin + url.pathname : undefined,
    addressWithTls: isReset ? url.href.replace(/^http:/, 'https:') : undefined,
    accountSetting: role === 'SERVICE' && code === 'CHALLENGE_AUTHORITY_MISMATCH' ? run.endpoint?.address : undefined,
    ...(needsAddress ? addressOfHost(check, place, indexed) : {}),
    ...(fault === 'TIMEOUT' ? otherPath(check, place, indexed) : {}),
    ...(fault === 'UNTRUSTED' ? { ...intermediateElsewhere(check, indexed), ...sameIssuer(check, indexed) } : {}),
    ...(check.fault === undefined ? {} : samePage(place, indexed)),
  }
}

/** The address of the name, and a sibling of the same suffix with an address of another kind. */
function addressOfHost(check: FoundCheck, { endpoint, addresses }: EndpointRun, { places }: IndexedRun): MaybeEvidence {
  const { hostname } = endpoint.url
  const address = check.evidence?.address ?? addresses?.[0]
  if (address === undefined) return {}
  const kind = addressKind(address)
  const suffix = `.${hostname.split('.').slice(-2).join('.')}`
  const sibling = [...places.values()].find(
    ({ addresses: [first] = [], endpoint: { url } }) =>
      kind === 'public' && url.hostname.endsWith(suffix) && first !== undefined && addressKind(first) === 'private',
  )
  return {
    address,
    // A host that the profile calls by a loopback name is meant to be on this machine.
    addressKind: isLoopback(hostname) ? undefined : kind,
    sibling: sibling?.endpoint.url.hostname,
    siblingAddress: sibling?.addresses?.[0],
  }
}

/** Another path of the same host that responded. */
function otherPath({ id, observed, evidence }: FoundCheck, { endpoint }: EndpointRun, { places }: IndexedRun) {
  const path = observed?.path ?? evidence?.path
  const other = [...places.values()]
    .filter((each) => each.endpoint.url.host === endpoint.url.host)
    .flatMap(({ checks }) => checks.filter((each) => each.id !== id && each.status === 'pass'))
    .find((each) => each.observed?.path !== undefined && each.observed.path !== path)
  return { path, otherPath: other?.observed?.path }
}

/** Another host that sent the intermediate certificate which this one leaves out. */
function intermediateElsewhere({ evidence, endpoint }: FoundCheck, { checks, places }: IndexedRun): MaybeEvidence {
  const issuer = evidence?.issuer
  const sends = checks.find(
    ({ endpoint: other, status, observed }) =>
      other !== endpoint && status !== 'fail' && issuer !== undefined && observed?.chain?.includes(issuer) === true,
  )
  return { sentBy: places.get(sends?.endpoint ?? '')?.endpoint.url.host }
}

/** The other hosts, if each of them has a certificate of the same authority, which is not trusted. */
function sameIssuer({ evidence }: FoundCheck, { checks, endpoints }: IndexedRun): MaybeEvidence {
  const hosts = [...new Set(endpoints.filter(({ url }) => url.protocol === 'https:').map(({ url }) => url.host))]
  const isSame = ({ layer, fault, evidence: { sha256 } = {} }: FoundCheck) =>
    layer === 'tls' && fault === 'UNTRUSTED' && sha256 === evidence?.sha256
  const refused = new Set(checks.filter(isSame).map((each) => each.evidence?.host))
  const others = hosts.filter((host) => host !== evidence?.host)
  const isEverywhere = others.length > 0 && hosts.every((host) => refused.has(host))
  return { sameIssuerAt: isEverywhere ? others.join(', ') : undefined }
}

/** Other hosts that returned the same page: a portal or gateway responds in place of the cloud. */
function samePage({ endpoint: { url } }: EndpointRun, { places }: IndexedRun): MaybeEvidence {
  const pages = [...places.values()].filter(({ page }) => page !== undefined)
  const own = pages.find(({ endpoint }) => endpoint.url.host === url.host)?.page
  const hosts = pages.filter(({ page }) => page === own).map(({ endpoint }) => endpoint.url.host)
  const others = new Set(hosts.filter((host) => host !== url.host))
  return { sameAt: others.size === 0 ? undefined : [...others].join(', ') }
}

/**
 * The variable and the address of the failed proxy, without user name and password. For a failed direct connection, the variable of the
 * proxy that NO_PROXY exempts the host from, because only the proxy may know the host.
 */
function proxyEvidence({ endpoint: { url } }: EndpointRun, env: Env, hasFailed: boolean): MaybeEvidence {
  const { proxy, exempted, noProxy: exemptionVariable, exemptingEntry, ignoredEntry } = proxyFor(url, env)
  if (!hasFailed) return exempted === undefined ? {} : { exempted, exemptionVariable, exemptingEntry }
  if (proxy === undefined) return {}
  // NO_PROXY matches host names without ports.
  return { exemptionVariable, ignoredEntry, variable: proxy.variable, host: url.hostname, proxy: proxy.url?.origin }
}

/** What the settings of this process explain: the shape of a secret, the mode that its variables are for, the audience of this cloud. */
function settingsEvidence({ code, evidence = {} }: FoundCheck, { settings, cloud }: IndexedRun): MaybeEvidence {
  if (code === 'CLIENT_SECRET_INVALID') {
    const secretShape = shapeOfSecret(settings.clientSecret?.reveal() ?? '')
    return { secretShape, secretVariable: secretShape && 'PLATFORM_CLIENT_SECRET' }
  }
  const usesTool = code === 'CLI_NOT_INSTALLED' && settings.authModeFrom !== 'AUTH_MODE'
  if (code === 'CREDENTIAL_SETTING_MISSING' || usesTool) return modeOfVariables(settings)
  const { assertionAudience } = evidence
  if (assertionAudience === undefined) return {}
  // A cloud that names no audience has the usual one, or another one of the form that applications have.
  const usual = knownClouds.find(({ name }) => name === 'platform-commercial')?.federatedAudience
  return {
    federatedAudience: cloud.profile.federatedAudience ?? (assertionAudience.startsWith('api://') ? undefined : usual),
  }
}

/** The mode that the variables are set for, if another mode is in force, and these variables. */
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
