import type { RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer, type Server } from 'node:net'
import type { CertificateAuthority, Enclave, EnclaveAuthMode } from 'cloud-profile-enclave/enclave'
import { createCertificateAuthority } from 'cloud-profile-enclave/enclave'

/** The hosts of the cloud, each with an address on which a server listens on port 443, and the public login hosts. */
export const hosts: Readonly<Record<string, string>> = {
  'login.rig.test': '10.1.0.1',
  'management.rig.test': '10.1.0.2',
  'one.blob.rig.test': '10.1.0.3',
  'two.vault.rig.test': '10.1.0.4',
  'proxy.rig.test': '10.1.0.7',
}

/** What a situation can change before the smoke test runs. */
export interface Rig {
  readonly enclave: Enclave
  readonly ca: CertificateAuthority
  /** What the name server answers for a name: an address, `SERVFAIL`, `NXDOMAIN`, `REFUSED`, `silent`; `undefined` the usual answer. */
  readonly resolve: (by: (name: string) => string | undefined) => void
  /** Takes the place of a host of the cloud. */
  readonly listen: (server: Server, host: string, port?: number) => Promise<void>
}

/** How the smoke test is started. An empty variable is removed. */
export type Start = { readonly mode?: EnclaveAuthMode; readonly env?: Readonly<Record<string, string>> }

export interface Situation {
  arrange(rig: Rig): Start | void | Promise<Start | void>
  /** The root cause. */
  readonly code: string
  /** What its fix says. */
  readonly fix: RegExp
  /** What no fix of a failed check says. */
  readonly never?: RegExp
  /** What `change` names, if the fix is one setting. */
  readonly change?: object
  /** Checks that pass all the same. */
  readonly passed?: readonly string[]
}

const profileFile = /`\w+(\.\w+)*` in \S+\.json/
const firewall = /firewall|Allow traffic/
const bothServices = { PLATFORM_KEY_VAULT: 'two', PLATFORM_STORAGE_ACCOUNT: 'one' }

const resolving =
  (host: string, to: string) =>
  ({ resolve }: Rig) =>
    resolve((name) => (name === host ? to : undefined))

/** A host that answers each request so, with a certificate of the cloud or of another authority. */
const host =
  (name: string, listener: RequestListener, authority?: CertificateAuthority) =>
  async ({ ca, listen }: Rig) => {
    const issued = await (authority ?? ca).issue({ commonName: name, usage: 'server', names: [name] })
    await listen(createHttpsServer({ cert: issued.chainPem, key: issued.privateKeyPem }, listener), name)
  }
const page =
  (content: string, headers = {}): RequestListener =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(content)

/** A proxy over TLS with a certificate of the cloud. */
const proxied =
  (certificate: Partial<Parameters<CertificateAuthority['issue']>[0]>) =>
  async ({ ca, listen }: Rig): Promise<Start> => {
    const names = ['proxy.rig.test']
    const issued = await ca.issue({ commonName: 'proxy', usage: 'server', names, ...certificate })
    await listen(createHttpsServer({ cert: issued.chainPem, key: issued.privateKeyPem }), 'proxy.rig.test', 3128)
    return { env: { HTTPS_PROXY: 'https://proxy.rig.test:3128', NO_PROXY: '' } }
  }

/** What only a network shows: addresses, routes, name servers, and several hosts at once. */
export const situations: Readonly<Record<string, Situation>> = {
  'a login authority that a device rejects': {
    arrange: resolving('login.rig.test', '10.7.1.1'),
    code: 'AUTHORITY_UNREACHABLE',
    fix: /route/,
    never: profileFile,
  },
  'a login authority whose packets vanish': {
    arrange: resolving('login.rig.test', '10.7.2.1'),
    code: 'AUTHORITY_TIMEOUT',
    fix: firewall,
    never: profileFile,
  },
  'a login authority at an address of loopback': {
    arrange: resolving('login.rig.test', '0.0.0.0'),
    code: 'AUTHORITY_REFUSED',
    fix: /DNS record of login\.rig\.test/,
  },
  'a vault at a public address, while its siblings are private': {
    arrange: (rig) => (resolving('two.vault.rig.test', '52.1.2.3')(rig), { env: bothServices }),
    code: 'SERVICE_REFUSED',
    fix: /private DNS zone/,
  },
  'an authority that was renewed under the same name': {
    arrange: async (rig) => host('login.rig.test', page(''), await createCertificateAuthority())(rig),
    code: 'AUTHORITY_UNTRUSTED',
    fix: /renewed|another key/,
  },
  'one foreign issuer on all hosts, while the authorities of the cloud are trusted': {
    arrange: async (rig) => {
      const other = await createCertificateAuthority({ commonName: 'Other Root' })
      for (const name of Object.keys(hosts).slice(0, 4)) await host(name, page(''), other)(rig)
    },
    code: 'AUTHORITY_UNTRUSTED',
    fix: /inspect.*SHA-256|SHA-256.*inspect/is,
  },
  'no file of authorities': {
    arrange: () => ({ env: { NODE_EXTRA_CA_CERTS: '' } }),
    code: 'AUTHORITY_UNTRUSTED',
    fix: /SHA-256.*set NODE_EXTRA_CA_CERTS/,
    change: { variable: 'NODE_EXTRA_CA_CERTS' },
  },
  'an identity endpoint whose packets vanish': {
    arrange: () => ({ mode: 'managedIdentity', env: { IDENTITY_ENDPOINT: 'http://10.7.2.2/msi/token' } }),
    code: 'IDENTITY_ENDPOINT_TIMEOUT',
    fix: /firewall|policy|Allow/,
  },
  'a DNS server that answers SERVFAIL': {
    arrange: resolving('login.rig.test', 'SERVFAIL'),
    code: 'AUTHORITY_DNS_UNAVAILABLE',
    fix: /responds SERVFAIL/,
  },
  'a DNS server without an answer': {
    arrange: ({ resolve }) => resolve(() => 'silent'),
    code: 'AUTHORITY_DNS_UNAVAILABLE',
    fix: /Do not change the profile/,
  },
  'a DNS server that is silent for one service': {
    arrange: (rig) => (resolving('two.vault.rig.test', 'silent')(rig), { env: bothServices }),
    code: 'SERVICE_DNS_UNAVAILABLE',
    fix: /./,
    passed: ['token.acquired', 'storage.dns'],
  },
  'a DNS server that does not know the login authority': {
    arrange: resolving('login.rig.test', 'NXDOMAIN'),
    code: 'AUTHORITY_DNS_FAILED',
    fix: /private zone/,
    never: profileFile,
  },
  'the same page from all hosts': {
    arrange: async (rig) => {
      for (const name of Object.keys(hosts).slice(0, 4)) await host(name, page('<title>Guest Wi-Fi</title>'))(rig)
      return { env: bothServices }
    },
    code: 'AUTHORITY_RESPONSE_INVALID',
    fix: /Guest Wi-Fi/,
    never: profileFile,
  },
  'a proxy over TLS whose certificate is valid from tomorrow': {
    arrange: proxied({ notBefore: new Date(Date.now() + 86_400_000), notAfter: new Date(Date.now() + 9 * 86_400_000) }),
    code: 'AUTHORITY_PROXY_FAILED',
    fix: /^Synchronize this machine's clock/,
    never: /NODE_EXTRA_CA_CERTS/,
  },
  'a proxy over TLS with the certificate of another name': {
    arrange: proxied({ names: ['gate.rig.test'] }),
    code: 'AUTHORITY_PROXY_FAILED',
    fix: /gate\.rig\.test/,
    change: { variable: 'HTTPS_PROXY' },
  },
  'a login authority that redirects to the public cloud': {
    arrange: host('login.rig.test', (_, response) =>
      response.writeHead(302, { location: 'https://login.microsoftonline.com/' }).end(),
    ),
    code: 'AUTHORITY_REDIRECTED',
    fix: /^Ask the operator of login\.rig\.test.*another cloud/,
    never: profileFile,
  },
  'a login authority that accepts connections and says nothing': {
    arrange: ({ listen }) => listen(createServer(), 'login.rig.test'),
    code: 'AUTHORITY_TIMEOUT',
    fix: /path MTU.*overloaded/,
    never: profileFile,
  },
  'a self-signed certificate, while the authorities of the cloud are trusted': {
    arrange: async ({ ca, listen }) => {
      const name = 'login.rig.test'
      const issued = await ca.issue({ commonName: name, usage: 'server', names: [name], selfSigned: true })
      await listen(createHttpsServer({ cert: issued.certificatePem, key: issued.privateKeyPem }), name)
    },
    code: 'AUTHORITY_UNTRUSTED',
    fix: /^Add the self-signed certificate of login\.rig\.test.*SHA-256/,
    change: { variable: 'NODE_EXTRA_CA_CERTS' },
  },
}
