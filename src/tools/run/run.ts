import { delimiter, dirname } from 'node:path'
import type { CredentialPlan } from '../../lib/auth/credential-plan.ts'
import { readVariable, type Env } from '../../lib/base/env.ts'
import { knownCloudOfAuthority } from '../../lib/clouds/equal-values.ts'
import { publicAuthority, publicDiscoveryHosts } from '../../lib/clouds/known-clouds.ts'
import { cloudsOf } from '../../lib/profile/profile-files.ts'
import type { CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { createCertificateAuthority } from 'cloud-profile-enclave/certificate-authority'
import type { Enclave } from 'cloud-profile-enclave/enclave'
import { runChild } from './child.ts'
import { createContacts, createStanding, type Contact } from './contacts.ts'
import { createDiscoveryResponder, type Target } from './discovery.ts'
import { childEnvironment, credentialVariables } from './environment.ts'
import { isolate } from './isolate.ts'
import { createPrivateFolder } from './private-folder.ts'
import { startProxy, type Decision, createUpstream } from './proxy.ts'
import { toJavaTrustStore, toPem, trustedCertificates } from './trust.ts'

export interface RunOptions {
  /** The program and its arguments. */
  readonly command: readonly string[]
  readonly profile: CloudProfile
  readonly plan: CredentialPlan
  /** The environment of this process. */
  readonly env: Env
  /** The variables of the profile, for programs. */
  readonly variables: Readonly<Record<string, string>>
  /** Hosts that the operator allows beside those of the profile. */
  readonly allowedHosts: readonly string[]
  /** Whether hosts that are not allowed are refused. */
  readonly isBlocking: boolean
  /** The text of a `sitecustomize.py` that teaches Python programs the cloud. */
  readonly pythonHook?: string | undefined
  /** Plays the cloud of the profile. Nothing leaves this machine then. */
  readonly enclave?: Pick<Enclave, 'ca' | 'addressOf'> | undefined
  /** The words that start this command line, to run the program in a network namespace. */
  readonly isolateBy?: readonly string[] | undefined
  /** Why the command did not start. */
  readonly onStartFailure: (reason: string) => void
}

export interface RunResult {
  /** The exit code of the child. */
  readonly code: number
  readonly contacts: readonly Contact[]
  /** Those that belong to another known cloud. */
  readonly foreign: readonly Contact[]
}

/**
 * Runs a program in the environment of a cloud: its variables, its trust, and a proxy that answers the public instance discovery.
 *
 * @throws {ServiceError} before the program starts, for a file or setting that cannot be used.
 */
export async function run({
  command,
  profile,
  plan,
  env,
  variables,
  allowedHosts,
  isBlocking,
  pythonHook,
  enclave,
  isolateBy,
  onStartFailure,
}: RunOptions): Promise<RunResult> {
  const upstream = createUpstream(env)
  const credential = await credentialVariables(plan)
  const ca = enclave?.ca ?? (await createCertificateAuthority({ commonName: 'cloud-profile run' }))
  const certificates = trustedCertificates([ca.certificatePem], env)
  const answered = answeredHosts(profile)
  const identityOf = async (host: string) => {
    const { chainPem: cert, privateKeyPem: key } = await ca.issue({ commonName: host, usage: 'server', names: [host] })
    return { cert, key }
  }
  const contacts = createContacts(() => new Date())
  const standingOf = createStanding(profile, allowedHosts, cloudsOf(env))
  const count = (target: Target) => {
    const standing = standingOf(target)
    contacts.add(target.host, target.port, standing)
    return standing
  }
  const decide = (target: Target): Decision => {
    const { host, port } = target
    if (answered.has(host.toLowerCase())) return { kind: 'answer' }
    const { allowed, cloud, service } = count(target)
    const to = enclave?.addressOf(host)
    if (to !== undefined) return { kind: 'pass', to }
    if (enclave === undefined ? allowed || !isBlocking : service === 'loopback') return { kind: 'pass' }
    const owner = cloud === null ? 'belongs to no known cloud' : `is a host of ${cloud}`
    const why = allowed ? 'the enclave does not play it' : `it is no host of ${profile.name}`
    const reason = `refused ${host}:${port}, which ${owner}: ${why}`
    return { kind: 'refuse', reason, explains: enclave !== undefined && cloud !== null }
  }
  const onRefused = ({ host, port }: Target) =>
    contacts.add(host, port, { cloud: publicCloud?.name ?? null, service: 'login', allowed: false, isForeign: true })
  const responder = createDiscoveryResponder(profile, identityOf, onRefused, enclave && crossCloud)
  const folder = createPrivateFolder()
  try {
    const trustFile = folder.write('trust.pem', toPem(certificates))
    const trustStore = folder.write('trust.jks', toJavaTrustStore(certificates))
    // Python loads `sitecustomize` from the first folder that has one.
    const hookFolder = pythonHook === undefined ? undefined : dirname(folder.write('sitecustomize.py', pythonHook))
    const pythonPath = [hookFolder, readVariable(env, 'PYTHONPATH')].filter(Boolean).join(delimiter)
    const hook = hookFolder === undefined ? {} : { PYTHONPATH: pythonPath }
    const isolation =
      isolateBy &&
      (await isolate(folder, env, isolateBy, ({ host, port }) =>
        contacts.add(host, port, standingOf({ host, port: port ?? 443 })),
      ))
    const proxy = await startProxy({ decide, responder, upstream, socketPath: isolation?.proxySocket })
    try {
      const url = proxy.url ?? new URL(`http://127.0.0.1:${isolation?.port ?? 0}`)
      const child = childEnvironment(
        env,
        { ...variables, ...credential, ...hook },
        { proxy: url, trustFile, trustStore },
      )
      const code = await runChild(isolation?.wrap(command) ?? command, child, onStartFailure)
      return { code, contacts: contacts.all, foreign: contacts.foreign }
    } finally {
      proxy.close()
      isolation?.close()
    }
  } finally {
    folder.remove()
  }
}

/** The words of a login authority that gets a request for another cloud. */
const crossCloud = 'AADSTS900382: Confidential Client is not supported in Cross Cloud request. '

const publicCloud = knownCloudOfAuthority(publicAuthority)

/**
 * The hosts that clients ask for the public instance discovery, or that they take for its authority, in whose place this machine answers: none
 * for a profile whose own authority they are.
 */
function answeredHosts({ authorityHost }: CloudProfile): ReadonlySet<string> {
  const issuers = (publicCloud?.aliases?.issuers ?? []).map((issuer) => new URL(issuer).host)
  const hosts = new Set([...publicDiscoveryHosts, ...issuers])
  return hosts.has(new URL(authorityHost).hostname) ? new Set() : hosts
}
