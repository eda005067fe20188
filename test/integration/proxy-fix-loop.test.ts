import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { connect as connectSecurely, createServer, type TLSSocket } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createCertificateAuthority, type CertificateAuthority } from '../../src/enclave/enclave.ts'
import type { DiagnosticsReport } from '../../src/lib/diagnostics/report.ts'
import { createService } from '../../src/lib/service/service.ts'
import { contradictionsOf } from '../support/contradictions.ts'
import { startForwardProxy, type ForwardProxy } from '../support/forward-proxy.ts'
import { startProxiedAuthority, type ProxiedAuthority } from '../support/proxied-authority.ts'
import { trust } from '../support/trust.ts'
import { useEnclave } from '../support/use-enclave.ts'

// The fixes that name a proxy variable, followed to the letter, with a resource manager and a login authority that only a proxy knows.

const running = useEnclave()
const account = 'robot:p@ss/100%'
const encoded = account.split(':').map(encodeURIComponent).join(':')

let other: CertificateAuthority
let proxy: ForwardProxy
let secure: ForwardProxy
let untrusted: ForwardProxy
let misnamed: ForwardProxy
let authority: ProxiedAuthority
/** The resource manager under a name that only proxies know, and under an address that is direct, but not loopback by its name. */
let managers: { readonly proxied: string; readonly direct: string }
let bridge: ReturnType<typeof createServer>
const withdrawals: (() => void)[] = []

beforeAll(async () => {
  const { ca, resourceManagerEndpoint } = running.cloud
  other = await createCertificateAuthority({ commonName: 'Proxy Root' })
  const issue = async (by: CertificateAuthority, names: readonly string[]) => {
    const { privateKeyPem: key, chainPem: cert } = await by.issue({
      commonName: names[0] ?? '',
      usage: 'server',
      names: [...names],
    })
    return { key, cert }
  }
  bridge = createServer(await issue(ca, ['management.proxied.test', '0.0.0.0']), (client: TLSSocket) => {
    const upstream = connectSecurely({
      port: Number(new URL(resourceManagerEndpoint).port),
      host: '127.0.0.1',
      servername: 'localhost',
      ca: ca.certificatePem,
    })
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('error', () => to.destroy())
      from.pipe(to)
    }
  }).on('tlsClientError', () => {})
  bridge.listen(0, '127.0.0.1')
  await once(bridge, 'listening')
  const { port } = bridge.address() as AddressInfo
  managers = { proxied: 'https://management.proxied.test/', direct: `https://0.0.0.0:${port}/` }
  authority = await startProxiedAuthority(ca)
  const { hostname, port: authorityPort } = new URL(authority.authorityHost)
  const ports = new Map([
    ['management.proxied.test', port],
    ['0.0.0.0', port],
    [hostname, Number(authorityPort)],
  ])
  proxy = await startForwardProxy({ ports })
  secure = await startForwardProxy({ ports, tls: await issue(ca, ['localhost']) }, 'localhost')
  untrusted = await startForwardProxy({ ports, tls: await issue(other, ['localhost']) }, 'localhost')
  misnamed = await startForwardProxy({ ports, tls: await issue(ca, ['localhost']) })
})
afterEach(() => {
  Object.assign(proxy, { account: undefined, challenge: 'Basic realm="proxy"', refusal: undefined, isMute: false })
  for (const withdraw of withdrawals.splice(0)) withdraw()
})
afterAll(() => {
  bridge.close()
  authority.close()
  for (const each of [proxy, secure, untrusted, misnamed]) each.close()
})

type Variables = Record<string, string | undefined>

interface Mistake {
  readonly what: string
  readonly env: () => Variables
  /** What the operator of the proxy gives. Default is the plain proxy without an account. */
  readonly right?: () => string
  /** Whether the host needs no proxy. Default is false. */
  readonly isDirect?: true
  /** What the proxy does wrong. */
  readonly proxy?: Partial<Pick<ForwardProxy, 'account' | 'challenge' | 'refusal' | 'isMute'>>
  /** How the fix begins. */
  readonly fix: RegExp
  /** Further values at the end. */
  readonly after?: Variables
}

const plain = () => `http://${proxy.host}`
const withAccount = () => `http://${encoded}@${proxy.host}`
const dead = () => 'http://127.0.0.1:1'
/** Lower and upper case, and the older names. */
const everyVariable = ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy', 'HTTP_PROXY', 'http_proxy']

const mistakes: readonly Mistake[] = [
  ...everyVariable.map((name): Mistake => ({
    what: `a wrong port in ${name}`,
    env: () => ({ [name]: dead() }),
    fix: new RegExp(
      `^Correct the host and port of ${name}, or start the proxy: nothing responds at 127\\.0\\.0\\.1:1\\.`,
    ),
  })),
  {
    what: 'a wrong host',
    env: () => ({ HTTPS_PROXY: 'http://proxy.nowhere.test:3128' }),
    fix: /^Correct the host of HTTPS_PROXY: no DNS server knows proxy\.nowhere\.test\./,
  },
  {
    what: 'a proxy without a scheme',
    env: () => ({ HTTPS_PROXY: `localhost:${proxy.host.split(':')[1]}` }),
    fix: /^Set HTTPS_PROXY to http:\/\/localhost:\d+\./,
  },
  {
    what: 'TLS to a plain proxy',
    env: () => ({ HTTPS_PROXY: `https://${proxy.host}` }),
    fix: /^Replace https: with http: in HTTPS_PROXY/,
  },
  {
    what: 'no TLS to a proxy with TLS',
    env: () => ({ https_proxy: `http://${secure.host}` }),
    fix: /^Replace http: with https: in https_proxy/,
  },
  {
    what: 'no account',
    env: () => ({ HTTPS_PROXY: plain() }),
    right: withAccount,
    proxy: { account },
    fix: /^Add the user name and password of the proxy http:\S+ to HTTPS_PROXY/,
  },
  {
    what: 'a wrong password',
    env: () => ({ HTTPS_PROXY: `http://robot:wrong@${proxy.host}` }),
    right: withAccount,
    proxy: { account },
    fix: /^Correct the user name and password in HTTPS_PROXY/,
  },
  {
    what: 'a password that is not encoded',
    env: () => ({ HTTPS_PROXY: `http://${account}@${proxy.host}` }),
    right: withAccount,
    proxy: { account },
    fix: /^Replace special characters of the user name and password in HTTPS_PROXY/,
  },
  {
    what: 'a proxy that requires another authentication',
    env: () => ({ HTTPS_PROXY: plain() }),
    proxy: { account, challenge: 'Negotiate, NTLM' },
    fix: /^Ask the operator of the proxy http:\S+ to accept Basic.* requires Negotiate\/NTLM/,
  },
  {
    what: 'a proxy that blocks the host',
    env: () => ({ HTTPS_PROXY: plain() }),
    proxy: { refusal: 403 },
    fix: /^Ask the operator of the proxy http:\S+ to allow connections to management\.proxied\.test, which it refused \(403\)/,
  },
  {
    what: 'a proxy that never answers',
    env: () => ({ HTTPS_PROXY: plain(), PLATFORM_TOKEN_TIMEOUT_MS: '1500' }),
    proxy: { isMute: true },
    fix: /^Ask the operator of the proxy http:\S+ why it makes no connection to management\.proxied\.test\./,
  },
  {
    what: 'a proxy that blocks a host that needs no proxy',
    env: () => ({ HTTPS_PROXY: plain() }),
    isDirect: true,
    proxy: { refusal: 403 },
    fix: /If 0\.0\.0\.0 needs no proxy, add 0\.0\.0\.0 to NO_PROXY\.$/,
    after: { NO_PROXY: '0.0.0.0' },
  },
  {
    what: 'an exemption that is missing in the lower-case variable',
    env: () => ({ HTTPS_PROXY: dead(), no_proxy: '.other.test' }),
    isDirect: true,
    fix: /add 0\.0\.0\.0 to no_proxy\.$/,
    after: { no_proxy: '.other.test,0.0.0.0' },
  },
  {
    what: 'an exemption in the spelling of other tools',
    env: () => ({ HTTPS_PROXY: dead(), NO_PROXY: `.other.test,${new URL(managers.direct).host}` }),
    isDirect: true,
    fix: /^Add 0\.0\.0\.0 to NO_PROXY: its entry 0\.0\.0\.0:\d+ does not exempt this host\./,
  },
  {
    what: 'an exemption of a name that only the proxy knows',
    env: () => ({ HTTPS_PROXY: plain(), NO_PROXY: '.other.test, .proxied.test' }),
    fix: /^If the proxy of HTTPS_PROXY knows management\.proxied\.test, remove \.proxied\.test from NO_PROXY\./,
    after: { NO_PROXY: '.other.test' },
  },
  {
    what: 'the same in the lower-case variable',
    env: () => ({ https_proxy: plain(), no_proxy: 'management.proxied.test' }),
    fix: /^If the proxy of https_proxy knows management\.proxied\.test, remove management\.proxied\.test from no_proxy\./,
    after: { no_proxy: '' },
  },
  {
    what: 'a wrong variable that hides its right lower-case duplicate',
    env: () => ({ HTTPS_PROXY: dead(), https_proxy: plain() }),
    fix: /^Correct the host and port of HTTPS_PROXY/,
  },
  {
    what: 'a proxy with TLS of an unknown certificate authority',
    env: () => ({ HTTPS_PROXY: `https://${untrusted.host}` }),
    fix: /^Extend the PEM file of NODE_EXTRA_CA_CERTS \(\S+\) with the CA "Proxy Root"/,
  },
  {
    what: 'a proxy with TLS under another name',
    env: () => ({ HTTPS_PROXY: `https://${misnamed.host}` }),
    right: () => `https://localhost:${misnamed.host.split(':')[1]}`,
    fix: /^Set the host of HTTPS_PROXY to a name in the certificate of the proxy \(localhost\)/,
  },
]

/** Does what the sentences of a fix say, where their condition holds. @returns What was changed. */
function follow(fix: string, env: Variables, { right = plain, isDirect }: Mistake): string[] {
  const changed: string[] = []
  const set = (name: string, value: string) => {
    if (env[name] === value) return
    env[name] = value
    changed.push(name)
  }
  for (const sentence of fix.split(/(?<=\.) (?=[A-Z])/)) {
    const [, needed] = /^If (\S+) needs no proxy, /.exec(sentence) ?? []
    if (needed !== undefined && isDirect !== true) continue
    if (/^If \S+ is wrong, /.test(sentence)) continue
    // One alternative is enough.
    if (changed.length > 0) break
    const [, added = '', list] = /\b[Aa]dd (\S+) to ((?:NO_PROXY|no_proxy))\b/.exec(sentence) ?? []
    const [, removed = '', from] = /remove (\S+) from (NO_PROXY|no_proxy)\b/.exec(sentence) ?? []
    const [, variable = '', url] = /^Set (\w+_(?:PROXY|proxy)) to (http\S+?)\.?$/.exec(sentence) ?? []
    const [, old = '', next = '', where] = /^Replace (https?:) with (https?:) in (\w+):/.exec(sentence) ?? []
    const [named] = /\b(?:HTTPS?|ALL|https?|all)_(?:PROXY|proxy)\b/.exec(sentence) ?? []
    if (list !== undefined) set(list, [env[list] ?? '', added].filter((entry) => entry !== '').join(','))
    else if (isDirect === true) continue
    else if (from !== undefined)
      set(from, (env[from] ?? '').split(/\s*,\s*/).filter((entry) => entry !== removed).join()) // prettier-ignore
    else if (url !== undefined) set(variable, url)
    else if (where !== undefined) set(where, (env[where] ?? '').replace(old, next))
    else if (sentence.startsWith('Ask the operator of the proxy')) {
      Object.assign(proxy, { account: undefined, refusal: undefined, isMute: false })
      changed.push('the proxy')
    } else if (/NODE_EXTRA_CA_CERTS \(\S+\) with the CA "Proxy Root"/.test(sentence)) {
      withdrawals.push(trust(other.certificatePem))
      changed.push('NODE_EXTRA_CA_CERTS')
    } else if (named !== undefined) set(named, right())
  }
  return changed
}

function environment(fields: Readonly<Record<string, string>>, env: Variables): Variables {
  const known = running.cloud.environment('clientSecret', running.files)
  const file = join(running.files.directory, 'proxied.json')
  const profile = JSON.parse(readFileSync(String(known['CUSTOM_CLOUD_PROFILE_PATH']), 'utf8')) as object
  writeFileSync(file, JSON.stringify({ ...profile, ...fields }))
  return { ...known, ...env, CUSTOM_CLOUD_PROFILE_PATH: file }
}

const reportOf = async (env: Variables): Promise<DiagnosticsReport> =>
  (await createService(env).diagnostics(() => undefined)).report()

describe('The fix of a proxy, followed to the letter,', () => {
  test.each(mistakes)('repairs $what for the resource manager', async (mistake) => {
    const { env: wrong, isDirect = false, after = {} } = mistake
    Object.assign(proxy, mistake.proxy)
    const env = environment({ resourceManagerEndpoint: isDirect ? managers.direct : managers.proxied }, wrong())
    const report = await reportOf(env)
    const { code, fix = '', hosts, message } = report.rootCause ?? {}
    expect({ code, message, fix }).toMatchObject({
      code: expect.stringMatching(/^RESOURCE_MANAGER_(PROXY|DNS)_FAILED$/) as string,
      fix: expect.stringMatching(mistake.fix) as string,
    })
    expect({ hosts, contradictions: contradictionsOf(report) }).toMatchObject({ contradictions: [] })
    expect(JSON.stringify(report)).not.toMatch(/p@ss|p%40ss|robot/)
    const changed = follow(fix, env, mistake)
    delete env['PLATFORM_TOKEN_TIMEOUT_MS']
    const { status, rootCause } = await reportOf(env)
    expect({ fix, changed, status, rootCause }).toMatchObject({ status: expect.stringMatching(/ok|warning/) as string })
    expect(env).toMatchObject(after)
  })

  // Where the authority cannot be reached directly, the metadata of the enclave names another one.
  const ofAuthority = mistakes.filter(
    ({ isDirect, what }) => isDirect !== true && !/^the same|only the proxy/.test(what),
  )
  test.each(ofAuthority)('repairs $what for the login authority', async (mistake) => {
    Object.assign(proxy, mistake.proxy)
    const env = environment(
      { authorityHost: authority.authorityHost, tenantId: 'tenant.test' },
      {
        ...Object.fromEntries(
          Object.entries(mistake.env()).map(([name, value]) => [name, value?.replace('management.', 'login.')]),
        ),
        PLATFORM_TENANT_ID: 'tenant.test',
      },
    )
    const { rootCause: { code = '', fix = '' } = {}, diagram } = await reportOf(env)
    expect(code).toMatch(/^AUTHORITY_(PROXY|DNS)_FAILED$/)
    const nodes = diagram?.filter(({ status }) => status === 'fail').map(({ id }) => id)
    expect(nodes).toContain(code === 'AUTHORITY_PROXY_FAILED' ? 'proxy' : 'authority')
    const changed = follow(fix, env, mistake)
    delete env['PLATFORM_TOKEN_TIMEOUT_MS']
    const { token, rootCause } = await reportOf(env)
    expect({ fix, changed, status: token.status, rootCause }).toMatchObject({ status: 'acquired' })
  })
})
