import { isLoopback, withoutFinalSlashes } from '../base/address.ts'
import { counterpartOf } from '../clouds/counterpart.ts'
import { mistakeIn } from '../base/secret.ts'
import { knownClouds } from '../clouds/known-clouds.ts'
import type { ErrorCode, Evidence, NetworkFault } from '../errors.ts'
import { credentialTable } from '../settings/setting-table.ts'
import { proxyFor } from '../transport/egress.ts'
import { type CollectedFacts, namesOfHosts } from './facts.ts'
import { addressKind } from './probes/connect.ts'
import type { Check, Host } from './run.ts'

/** A failure or warning, its host, and the endpoints on other hosts. */
interface Trouble {
  readonly check: Check
  readonly evidence: Evidence
  readonly own: Host
  readonly others: readonly Host[]
  readonly run: CollectedFacts
}

/** Adds evidence. Unknown and empty values are left out. */
type Row = (trouble: Trouble) => { readonly [K in keyof Evidence]: string | undefined }

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
  return { path, otherPath: own.paths.find((each) => each !== path) }
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
  sameAt: page && namesOfHosts(others.filter((each) => each.page === page)).join(', '),
})

/** A host that sends the intermediate certificate missing here. The other hosts, if all of them have this untrusted certificate. */
const untrustedElsewhere: Row = ({ evidence: { issuer = '' }, own: { untrusted }, others }) => {
  const sends = others.find((each) => each.untrusted === undefined && each.chain?.includes(issuer) === true)
  const secure = others.filter(({ url }) => url.protocol === 'https:')
  const isEverywhere = untrusted !== undefined && secure.every((each) => each.untrusted === untrusted)
  return { sentBy: sends?.url.host, sameIssuerAt: isEverywhere ? namesOfHosts(secure).join(', ') : undefined }
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

/** The audience of this cloud for federated tokens. Without a published audience, any `api://` audience may be correct. */
const federatedAudience: Row = ({ evidence: { assertionAudience }, run }) => {
  if (assertionAudience === undefined) return {}
  const usual = knownClouds.find(({ name }) => name === 'platform-commercial')?.federatedAudience
  const isPlausible = assertionAudience.startsWith('api://')
  return { federatedAudience: run.cloud.profile.federatedAudience ?? (isPlausible ? undefined : usual) }
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
