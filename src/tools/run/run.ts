import { credentialVariables, type CredentialPlan } from '../../lib/auth/credential-plan.ts'
import type { Env } from '../../lib/base/env.ts'
import { knownCloudOfAuthority } from '../../lib/clouds/equal-values.ts'
import { publicAuthority, publicDiscoveryHosts } from '../../lib/clouds/known-clouds.ts'
import { cloudsOf } from '../../lib/profile/profile-files.ts'
import type { CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { createCertificateAuthority, type Enclave } from 'cloud-profile-enclave/enclave'
import { runChild } from './child.ts'
import { createContacts, createStanding, type Contact } from './contacts.ts'
import { createDiscoveryResponder, type Target } from './discovery.ts'
import { childEnvironment } from './environment.ts'
import { createPrivateFolder } from './private-folder.ts'
import { startProxy, type Decision, createUpstream } from './proxy.ts'
import { toJavaTrustStore, toPem, trustedCertificates } from './trust.ts'

export interface RunOptions {
  /** The program with its arguments. */
  readonly command: readonly string[]
  readonly profile: CloudProfile
  readonly plan: CredentialPlan
  /** The environment of this process. */
  readonly env: Env
  /** The variables of the profile, for programs. */
  readonly variables: Readonly<Record<string, string>>
  /** Further hosts that the operator allows. */
  readonly allowedHosts: readonly string[]
  /** Whether hosts that are not allowed are refused. */
  readonly isBlocking: boolean
  /** Simulates the cloud of the profile. No request leaves this machine then. */
  readonly enclave?: Pick<Enclave, 'ca' | 'addressOf'> | undefined
  /** Called with the reason if the program can't start. */
  readonly onStartFailure: (reason: string) => void
}

export interface RunResult {
  /** The exit code of the program. */
  readonly code: number
  readonly contacts: readonly Contact[]
  /** Contacts with another known cloud or a retired service. */
  readonly wrong: readonly Contact[]
}

/**
 * Runs a program for a cloud: with the cloud's variables and trusted certificates, and a proxy that responds to the public instance discovery.
 * This folder starts the program and its proxy, and writes only to a private folder.
 *
 * @throws {ServiceError} before the program starts, for an invalid file or setting.
 */
export async function run({
  command,
  profile,
  plan,
  env,
  variables,
  allowedHosts,
  isBlocking,
  enclave,
  onStartFailure,
}: RunOptions): Promise<RunResult> {
  const upstream = createUpstream(env)
  const credential = await credentialVariables(plan)
  const ca = enclave?.ca ?? (await createCertificateAuthority({ commonName: 'cloud-profile run' }))
  const certificates = trustedCertificates([ca.certificatePem], env)
  const publicHosts = publicLoginHosts(profile)
  const identityOf = async (host: string) => {
    const { chainPem: cert, privateKeyPem: key } = await ca.issue({ commonName: host, usage: 'server', names: [host] })
    return { cert, key }
  }
  const contacts = createContacts(() => new Date())
  const standingOf = createStanding(profile, allowedHosts, cloudsOf(env))
  const count = (target: Target) => {
    const standing = standingOf(target)
    contacts.add(target, standing)
    return standing
  }
  /** A program must not send a secret of this cloud to the login authority of another one. */
  const isOtherLogin = (target: Target) => {
    const { allowed, isForeign, service } = standingOf(target)
    return publicHosts.has(target.host) || (service === 'login' && isForeign && !allowed)
  }
  const decide = (target: Target): Decision => {
    const { host, port } = target
    if (isOtherLogin(target)) return { kind: 'respond' }
    const { allowed, cloud, service, retired, instead } = count(target)
    const to = enclave?.addressOf(host)
    if (to !== undefined) return { kind: 'pass', to }
    if (enclave === undefined ? allowed || !isBlocking : service === 'loopback') return { kind: 'pass' }
    const owner = cloud === null ? 'belongs to no known cloud' : `is a host of ${cloud}`
    const why = retired
      ? 'it is retired'
      : allowed
        ? 'the enclave does not simulate it'
        : `it isn't a host of ${profile.name}`
    const hint = instead === undefined || instead === host ? '' : `. Use ${instead}`
    const reason = `refused ${host}:${port}, which ${owner}: ${why}${hint}`
    return { kind: 'refuse', reason, explains: enclave !== undefined && cloud !== null }
  }
  const onRefused = (target: Target) => {
    const { cloud, isForeign } = standingOf(target)
    const owner = isForeign ? cloud : (publicCloud?.name ?? null)
    contacts.add(target, { cloud: owner, service: 'login', allowed: false, isForeign: true })
  }
  const responder = createDiscoveryResponder(profile, identityOf, onRefused, enclave && crossCloud)
  const folder = createPrivateFolder()
  try {
    const trustFile = folder.write('trust.pem', toPem(certificates))
    const trustStore = folder.write('trust.jks', toJavaTrustStore(certificates))
    const proxy = await startProxy({ decide, responder, upstream })
    try {
      const resources = { proxy: proxy.url, trustFile, trustStore }
      const child = childEnvironment(env, { ...variables, ...credential }, resources)
      const code = await runChild(command, child, onStartFailure)
      return { code, contacts: contacts.all, wrong: contacts.wrong }
    } finally {
      proxy.close()
    }
  } finally {
    folder.remove()
  }
}

/** A login authority refuses a request for another cloud with this text. */
const crossCloud = 'AADSTS900382: Confidential Client is not supported in Cross Cloud request. '

const publicCloud = knownCloudOfAuthority(publicAuthority)

/**
 * The hosts of the public instance discovery and of its issuers, which several clouds share. Empty if the profile's authority is such a host.
 */
function publicLoginHosts({ authorityHost }: CloudProfile): ReadonlySet<string> {
  const issuers = (publicCloud?.aliases?.issuers ?? []).map((issuer) => new URL(issuer).host)
  const hosts = new Set([...publicDiscoveryHosts, ...issuers])
  return hosts.has(new URL(authorityHost).hostname) ? new Set() : hosts
}
