import { createServer as createHttpsServer } from 'node:https'
import type { Server } from 'node:net'
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
  /** What the name server answers for a name: an address, `SERVFAIL`, `NXDOMAIN` or `silent`; `undefined` the usual answer. */
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

/** A host that answers each request with a page, with a certificate of another authority. */
async function replaceHost(name: string, { listen }: Rig, authority: CertificateAuthority) {
  const issued = await authority.issue({ commonName: name, usage: 'server', names: [name] })
  const server = createHttpsServer({ cert: issued.chainPem, key: issued.privateKeyPem }, (_, response) =>
    response.end(),
  )
  await listen(server, name)
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
    arrange: async (rig) => replaceHost('login.rig.test', rig, await createCertificateAuthority()),
    code: 'AUTHORITY_UNTRUSTED',
    fix: /renewed|another key/,
  },
  'one foreign issuer on all hosts, while the authorities of the cloud are trusted': {
    arrange: async (rig) => {
      const other = await createCertificateAuthority({ commonName: 'Other Root' })
      for (const name of Object.keys(hosts).slice(0, 4)) await replaceHost(name, rig, other)
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
  'a proxy over TLS whose certificate is valid from tomorrow': {
    arrange: async ({ ca, listen }) => {
      const [notBefore, notAfter] = [1, 9].map((days) => new Date(Date.now() + days * 86_400_000)) as [Date, Date]
      const issued = await ca.issue({
        commonName: 'proxy',
        usage: 'server',
        names: ['proxy.rig.test'],
        notBefore,
        notAfter,
      })
      await listen(createHttpsServer({ cert: issued.chainPem, key: issued.privateKeyPem }), 'proxy.rig.test', 3128)
      return { env: { HTTPS_PROXY: 'https://proxy.rig.test:3128', NO_PROXY: '' } }
    },
    code: 'AUTHORITY_PROXY_FAILED',
    fix: /^Synchronize this machine's clock/,
    never: /NODE_EXTRA_CA_CERTS/,
  },
}
