import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createCertificateAuthority, type CertificateAuthority } from 'cloud-profile-enclave/enclave'
import type { EnclaveAuthMode } from 'cloud-profile-enclave/enclave'
import type { Env } from '../../src/lib/base/env.ts'
import { valueAt } from '../../src/lib/base/json.ts'
import type { DiagnosticsReport, RootCause } from '../../src/lib/diagnostics/report.ts'
import { withValueAt, type FieldPath } from '../../src/lib/profile/field-path.ts'
import { createService } from '../../src/lib/service/service.ts'
import { contradictionsOf } from '../support/contradictions.ts'
import { startForwardProxy, type ForwardProxy } from '../support/forward-proxy.ts'
import { privateDocument } from '../support/profile-document.ts'
import { trust } from '../support/trust.ts'
import { useEnclave, type EnclaveUnderTest } from '../support/use-enclave.ts'

// One property: the `change` of the root cause applied, and another run, and the fault is gone. Where a change has no value, the operator of
// the cloud or proxy gives it; where a fix has no change, the operator of the proxy acts.

/** Wrong values of fields, or what is done to the right ones. */
type Wrong = Readonly<Record<string, string | ((right: string) => string)>>
type Variables = Record<string, string | undefined>

interface Mistake {
  readonly what: string
  readonly fields?: Wrong
  readonly env?: Env | (() => Env)
  /** Default is clientSecret. */
  readonly mode?: EnclaveAuthMode
  /** What the operator gives, beside the settings of the enclave. */
  readonly given?: () => Variables
}

const fieldOf: Readonly<Record<string, FieldPath>> = {
  PLATFORM_AUTHORITY_HOST: 'authorityHost',
  PLATFORM_RESOURCE_MANAGER_ENDPOINT: 'resourceManagerEndpoint',
  PLATFORM_RESOURCE_MANAGER_AUDIENCE: 'resourceManagerAudience',
  PLATFORM_TENANT_ID: 'tenantId',
}

/** Applies changes until the report is well. @returns Its status, and each step. */
async function follow(
  { cloud, files }: EnclaveUnderTest,
  { what, fields = {}, env: wrong = {}, mode = 'clientSecret', given = () => ({}) }: Mistake,
  operate: (cause: RootCause, env: Variables) => void = () => undefined,
) {
  const known: Env = cloud.environment(mode, files)
  const profile = JSON.parse(readFileSync(String(known['CUSTOM_CLOUD_PROFILE_PATH']), 'utf8')) as object
  const file = join(files.directory, `${what.replaceAll(/\W+/g, '-')}.json`)
  const broken = Object.entries(fields).reduce<unknown>((document, [path, value]) => {
    const right = String(valueAt(profile, path))
    return withValueAt(document as object, path as FieldPath, typeof value === 'string' ? value : value(right))
  }, profile)
  writeFileSync(file, JSON.stringify(broken))
  const env: Variables = {
    ...known,
    ...(typeof wrong === 'function' ? wrong() : wrong),
    CUSTOM_CLOUD_PROFILE_PATH: file,
  }
  const right = (name: string) => given()[name] ?? known[name] ?? String(valueAt(profile, fieldOf[name] ?? name))
  const apply = (cause: RootCause) => {
    const { change } = cause
    if (change === undefined) return operate(cause, env)
    if ('variable' in change) return void (env[change.variable] = change.value ?? right(change.variable))
    const document = JSON.parse(readFileSync(change.file, 'utf8')) as object
    const value = change.value ?? right(change.field)
    writeFileSync(change.file, JSON.stringify(withValueAt(document, change.field as FieldPath, value)))
  }
  const report = async (): Promise<DiagnosticsReport> =>
    (await createService(env).diagnostics(() => undefined)).report()
  const seen: string[] = []
  let current = await report()
  // A second mistake may stand behind the first.
  while (current.status === 'failed' && current.rootCause !== undefined && seen.length < 3) {
    expect(contradictionsOf(current)).toEqual([])
    expect(JSON.stringify(current)).not.toMatch(/p@ss|p%40ss/)
    seen.push(`${current.rootCause.code}: ${current.rootCause.fix} ${JSON.stringify(current.rootCause.change)}`)
    apply(current.rootCause)
    current = await report()
  }
  return { status: current.status, seen, env }
}

const well = expect.stringMatching(/ok|warning/) as string

describe('The change of the report repairs', () => {
  const running = useEnclave()
  const nowhere = 'https://login.nowhere.test/'
  const overriding = { PLATFORM_OVERRIDE_CUSTOM_PROFILE: 'true' }
  const unknown = '00000000-0000-0000-0000-000000000000'
  const ofVariable = (name: string, value: string, mode?: EnclaveAuthMode): Mistake => ({
    what: `${name}=${value}`,
    env: { [name]: value },
    ...(mode && { mode }),
  })
  const mistakes: readonly Mistake[] = [
    { what: 'an authority without an address, in the file', fields: { authorityHost: nowhere } },
    {
      what: 'an authority without an address, in a variable',
      env: { ...overriding, PLATFORM_AUTHORITY_HOST: nowhere },
    },
    { what: 'an authority with a path', fields: { authorityHost: (host) => `${host}tenant/` } },
    { what: 'an authority where nothing listens', fields: { authorityHost: 'https://localhost:1/' } },
    {
      what: 'a resource manager without TLS',
      fields: { resourceManagerEndpoint: (address) => address.replace('https:', 'http:') },
    },
    {
      what: 'a resource manager where nothing listens, in the file',
      fields: { resourceManagerEndpoint: 'https://localhost:1/' },
    },
    {
      what: 'an audience of another cloud, in the file',
      fields: { resourceManagerAudience: 'https://management.azure.com/' },
    },
    { what: 'no metadata document', fields: { metadataEndpoint: 'https://localhost:1/metadata/endpoints' } },
    ...['common', 'Organizations', 'consumers', unknown].map((tenant) => ofVariable('PLATFORM_TENANT_ID', tenant)),
    ofVariable('PLATFORM_CLIENT_ID', unknown),
    ofVariable('PLATFORM_CLIENT_ID', ''),
    ofVariable('PLATFORM_CLIENT_SECRET', 'wrong'),
    ofVariable('PLATFORM_CLIENT_SECRET', ''),
    ofVariable('PLATFORM_CLIENT_CERTIFICATE_PATH', '/nowhere.pem', 'clientCertificate'),
    ofVariable('PLATFORM_FEDERATED_TOKEN_FILE', '/nowhere', 'workloadIdentity'),
    ofVariable('PLATFORM_FEDERATED_TOKEN_FILE', '', 'workloadIdentity'),
    ofVariable('PLATFORM_FEDERATED_TOKEN_FILE', fileURLToPath(import.meta.url), 'workloadIdentity'),
    ofVariable('PLATFORM_PASSWORD', 'wrong', 'usernamePassword'),
    ofVariable('PLATFORM_USERNAME', 'nobody@enclave.test', 'usernamePassword'),
  ]

  test.each(mistakes)('$what', async (mistake) => {
    const { status, seen } = await follow(running, mistake)
    expect({ status, seen }).toMatchObject({ status: well })
    expect(seen).not.toEqual([])
  })
})

describe('The change of the report, or the operator of the proxy, repairs', () => {
  const running = useEnclave({
    cloud: privateDocument('proxied.test'),
  })
  const account = 'robot:p@ss/100%'
  const encoded = account.split(':').map(encodeURIComponent).join(':')
  let other: CertificateAuthority
  let proxy: ForwardProxy
  let secure: ForwardProxy
  let untrusted: ForwardProxy
  const withdrawals: (() => void)[] = []

  beforeAll(async () => {
    const { ca } = running.cloud
    other = await createCertificateAuthority({ commonName: 'Proxy Root' })
    const issue = async (by: CertificateAuthority) => {
      const issued = await by.issue({ commonName: 'localhost', usage: 'server', names: ['localhost'] })
      return { key: issued.privateKeyPem, cert: issued.chainPem }
    }
    const portOf = (name: string): [string, number] => [name, running.cloud.addressOf(name)?.port ?? 0]
    const ports = new Map(['login.proxied.test', 'management.proxied.test'].map(portOf))
    proxy = await startForwardProxy({ ports })
    secure = await startForwardProxy({ ports, tls: await issue(ca) }, 'localhost')
    untrusted = await startForwardProxy({ ports, tls: await issue(other) }, 'localhost')
  })
  afterEach(() => {
    Object.assign(proxy, { account: undefined, challenge: 'Basic realm="proxy"', refusal: undefined, isMute: false })
    for (const withdraw of withdrawals.splice(0)) withdraw()
  })
  afterAll(() => {
    for (const each of [proxy, secure, untrusted]) each.close()
  })

  const plain = () => `http://${proxy.host}`
  const dead = 'http://127.0.0.1:1'
  interface ProxyMistake extends Mistake {
    /** What the proxy does wrong. */
    readonly proxy?: Partial<Pick<ForwardProxy, 'account' | 'challenge' | 'refusal' | 'isMute'>>
  }
  const ofProxy = (what: string, url: () => string, more: Partial<ProxyMistake> = {}): ProxyMistake => ({
    what,
    env: () => ({ HTTPS_PROXY: url() }),
    given: () => ({ HTTPS_PROXY: plain() }),
    ...more,
  })
  const withAccount = { proxy: { account }, given: () => ({ HTTPS_PROXY: `http://${encoded}@${proxy.host}` }) }
  const mistakes: readonly ProxyMistake[] = [
    ...['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'].map((name) => ({
      what: `a wrong port in ${name}`,
      env: { [name]: dead },
      given: () => ({ [name]: plain() }),
    })),
    ofProxy('a wrong host', () => 'http://proxy.nowhere.test:3128'),
    ofProxy('a proxy without a scheme', () => `localhost:${proxy.host.split(':')[1]}`),
    ofProxy('TLS to a plain proxy', () => `https://${proxy.host}`),
    ofProxy('no TLS to a proxy with TLS', () => `http://${secure.host}`, {
      given: () => ({ HTTPS_PROXY: `https://${secure.host}` }),
    }),
    ofProxy('a name that is not in the certificate', () => `https://${secure.host.replace('localhost', '127.0.0.1')}`, {
      given: () => ({ HTTPS_PROXY: `https://${secure.host}` }),
    }),
    ofProxy('a certificate of an unknown authority', () => `https://${untrusted.host}`, {
      given: () => {
        withdrawals.push(trust(other.certificatePem))
        return { NODE_EXTRA_CA_CERTS: 'a file with it' }
      },
    }),
    ofProxy('no account', plain, withAccount),
    ofProxy('a wrong password', () => `http://robot:wrong@${proxy.host}`, withAccount),
    ofProxy('a password that is not encoded', () => `http://${account}@${proxy.host}`, withAccount),
    ofProxy('an authentication that the service does not offer', plain, {
      proxy: { account, challenge: 'Negotiate, NTLM' },
    }),
    ofProxy('a proxy that blocks the hosts', plain, { proxy: { refusal: 403 } }),
    ofProxy('a proxy that never answers', plain, {
      proxy: { isMute: true },
      env: () => ({ HTTPS_PROXY: plain(), PLATFORM_TOKEN_TIMEOUT_MS: '1500' }),
    }),
    ...['.proxied.test', 'login.proxied.test, management.proxied.test'].map((entries) => ({
      what: `an exemption of ${entries}, which only the proxy knows`,
      env: () => ({ https_proxy: plain(), no_proxy: entries }),
    })),
  ]

  test.each(mistakes)('$what', async (mistake) => {
    Object.assign(proxy, mistake.proxy)
    const { status, seen } = await follow(running, mistake, ({ fix }, env) => {
      // These are no settings: an operator acts, or the reader knows which entry of a list is wrong.
      Object.assign(proxy, { account: undefined, refusal: undefined, isMute: false })
      delete env['PLATFORM_TOKEN_TIMEOUT_MS']
      const [, entry = '', list = ''] = /remove (\S+) from (\w+)/.exec(fix) ?? []
      if (list !== '') env[list] = env[list]?.split(/, */).filter((each) => each !== entry).join(',') // prettier-ignore
    })
    expect({ status, seen }).toMatchObject({ status: well })
    expect(seen[0]).toMatch(/^AUTHORITY_(PROXY|DNS)_FAILED/)
  })
})
