import { credentialVariables, type CredentialPlan, modes } from '../../lib/auth/credential-plan.ts'
import type { Env } from '../../lib/base/env.ts'
import { knownCloudOfAuthority } from '../../lib/clouds/equal-values.ts'
import { publicAuthority, publicDiscoveryHosts } from '../../lib/clouds/known-clouds.ts'
import { cloudsOf } from '../../lib/profile/profile-files.ts'
import type { CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { createCertificateAuthority, type Enclave } from 'cloud-profile-enclave/enclave'
import { settingTable } from '../../lib/settings/setting-table.ts'
import type { Life } from './life.ts'
import { createContacts, createStanding, type Outcome, type Standing } from './contacts.ts'
import { createDiscoveryResponder, type Target } from './discovery.ts'
import { childEnvironment } from './environment.ts'
import { startProxy, type Decision, createUpstream } from './proxy.ts'
import { toJavaTrustStore, trustedCertificates } from './trust.ts'

// This folder starts a program and its proxy, and writes only to a private folder.

export interface RunOptions {
  /** The program with its arguments. */
  readonly command: readonly string[]
  readonly profile: CloudProfile
  readonly plan: CredentialPlan
  /** The environment of this process. */
  readonly env: Env
  /** The variables of the profile, for programs. */
  readonly variables: Readonly<Record<string, string>>
  /** Further hosts that the operator allows, as `host`, `host:port` or `.suffix`. */
  readonly allowedHosts: readonly string[]
  /** Whether hosts that are not allowed are refused. */
  readonly isBlocking: boolean
  /** Simulates the cloud of the profile. No request leaves this machine then. */
  readonly enclave?: Pick<Enclave, 'ca' | 'addressOf'> | undefined
  /** Called with the reason if the program can't start. */
  readonly onStartFailure: (reason: string) => void
}

/** Runs a program for a cloud: with its variables and trusted certificates, and a proxy that responds to the public instance discovery. */
export async function run(life: Life, options: RunOptions) {
  const { command, profile, plan, env, variables, allowedHosts, enclave, onStartFailure } = options
  const upstream = createUpstream(env)
  const credential = await credentialVariables(plan)
  const ca = enclave?.ca ?? (await createCertificateAuthority({ commonName: 'cloud-profile run' }))
  const certificates = trustedCertificates(ca.certificatePem, env)
  const identityOf = async (host: string) => {
    const { chainPem: cert, privateKeyPem: key } = await ca.issue({ commonName: host, usage: 'server', names: [host] })
    return { cert, key }
  }
  const contacts = createContacts()
  const standingOf = createStanding(profile, allowedHosts, cloudsOf(env))
  const onRefused = (target: Target) => {
    const standing = standingOf(target)
    const owner = standing.isForeign ? standing.cloud : (publicCloud?.name ?? null)
    contacts.add(target, { ...standing, cloud: owner, service: 'login', isForeign: true }, 'refused')
  }
  const responder = createDiscoveryResponder(profile, identityOf, onRefused, enclave && crossCloud)
  const trustFile = life.folder.write('trust.pem', certificates.join(''))
  const trustStore = life.folder.write('trust.jks', toJavaTrustStore(certificates))
  const decide = createDecision(options, standingOf, contacts.add)
  const proxy = await startProxy({ decide, onFailure: contacts.addFailure, responder, upstream })
  try {
    const resources = { proxy: proxy.url, trustFile, trustStore }
    const child = childEnvironment(withoutOtherSecrets(env, plan), { ...variables, ...credential }, resources)
    const code = await life.run(command, child, onStartFailure)
    return { code, contacts: contacts.all() }
  } finally {
    proxy.close()
  }
}

/** Decides what the proxy does with each target, and counts the contact. */
function createDecision(
  { profile, isBlocking, enclave }: RunOptions,
  standingOf: (target: Target) => Standing,
  count: (target: Target, standing: Standing, outcome: Outcome) => void,
) {
  const publicHosts = publicLoginHosts(profile)
  return (target: Target, isSecure: boolean): Decision => {
    const { host, port } = target
    const standing = standingOf(target)
    const { allowed, cloud, service, isForeign, retired, instead } = standing
    // A program must not send a secret of this cloud to the login authority of another one.
    if (publicHosts.has(host) || (service === 'login' && isForeign && !allowed)) return { kind: 'respond' }
    const to = enclave?.addressOf(host)
    const passes = enclave === undefined ? allowed || !isBlocking : service === 'loopback'
    if (passes || (to !== undefined && isSecure)) {
      count(target, standing, 'answered')
      return { kind: 'pass', ...(to && { to }) }
    }
    const isOwn = cloud !== null && !isForeign && retired !== true
    count(target, standing, isOwn && to === undefined ? 'not-simulated' : 'refused')
    const owner = cloud === null ? 'belongs to no known cloud' : `is a host of ${cloud}`
    const why = retired
      ? 'it is retired'
      : to !== undefined
        ? 'the enclave supports only https'
        : isOwn
          ? `the enclave does not simulate ${service}`
          : `it isn't a host of ${profile.name}`
    const reason = `refused ${host}:${port}, which ${owner}: ${why}${instead === undefined ? '' : `. ${instead}`}`
    const code = retired ? 'ServiceRetired' : isOwn ? 'ServiceNotSimulated' : 'HostOfAnotherCloud'
    if (enclave === undefined || cloud === null) return { kind: 'refuse', reason }
    // SDKs repeat a request after other statuses of a server than 501.
    return { kind: 'refuse', reason, response: { status: isOwn ? 501 : 403, code, message: reason } }
  }
}

/** The variables without the secrets that the credential of the plan doesn't use, such as the key of the service. */
function withoutOtherSecrets(env: Env, plan: CredentialPlan): Env {
  const plans = plan.mode === 'default' ? plan.chain : [plan]
  const used = new Set(plans.flatMap(({ mode }) => Object.keys(modes[mode].keys)))
  const others = Object.entries(settingTable).filter(([key, { secret }]) => secret && !used.has(key))
  const withheld = new Set(others.flatMap(([, { name }]) => [name, `${name}_PATH`]))
  return Object.fromEntries(Object.entries(env).filter(([name]) => !withheld.has(name)))
}

/** A login authority refuses a request for another cloud with this text. */
const crossCloud = 'AADSTS900382: Confidential Client is not supported in Cross Cloud request. '

const publicCloud = knownCloudOfAuthority(publicAuthority)

/** The hosts of the public instance discovery and of its issuers, which several clouds share. Empty if the profile's authority is such a host. */
function publicLoginHosts({ authorityHost }: CloudProfile): ReadonlySet<string> {
  const issuers = (publicCloud?.aliases?.issuers ?? []).map((issuer) => new URL(issuer).host)
  const hosts = new Set([...publicDiscoveryHosts, ...issuers])
  return hosts.has(new URL(authorityHost).hostname) ? new Set() : hosts
}
