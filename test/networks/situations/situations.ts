import type { IncomingMessage, RequestListener } from 'node:http'
import { createServer as createHttpsServer, request } from 'node:https'
import { createServer, type Server } from 'node:net'
import type { CertificateAuthority, Enclave, EnclaveAuthMode, EnclaveFiles } from 'cloud-profile-enclave/enclave'
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
  readonly files: EnclaveFiles
  /** What the name server answers for a name: an address, `SERVFAIL`, `NXDOMAIN`, `REFUSED`, `silent`; `undefined` the usual answer. */
  readonly resolve: (by: (name: string) => string | undefined) => void
  /** Takes the place of a host of the cloud. */
  readonly listen: (server: Server, host: string, port?: number) => Promise<void>
  /** @returns The path of a new file. */
  readonly write: (name: string, content: string) => string
  /** Runs a line of a shell in the folder of the enclave's files. */
  readonly run: (line: string) => void
}

/** How the smoke test is started. An empty variable is removed. */
export interface Start {
  readonly mode?: EnclaveAuthMode
  readonly env?: Readonly<Record<string, string>>
}

export interface Situation {
  arrange(rig: Rig): Start | void | Promise<Start | void>
  /** The root cause. */
  readonly code: string
  /** What its fix says. */
  readonly fix: RegExp
  /** What neither its fix nor that of another failed check says. */
  readonly never?: RegExp
  /** What `change` names, if the fix is one setting. */
  readonly change?: object
}

const profileFile = /`\w+(\.\w+)*` in \S+\.json/
const firewall = /firewall|Allow traffic/
const clock = /this machine's clock/

const resolving =
  (host: string, to: string) =>
  ({ resolve }: Rig) =>
    resolve((name) => (name === host ? to : undefined))
const withEnv = (env: Start['env']) => (): Start => ({ env: env ?? {} })

/** A host that answers each request so, with a certificate of the cloud or of another authority. */
const host =
  (name: string, listener: RequestListener, authority?: CertificateAuthority) =>
  async ({ ca, listen }: Rig) => {
    const issued = await (authority ?? ca).issue({ commonName: name, usage: 'server', names: [name] })
    await listen(createHttpsServer({ cert: issued.chainPem, key: issued.privateKeyPem }, listener), name)
  }
const redirectTo = (origin: string) =>
  host('login.rig.test', ({ url = '' }, response) => response.writeHead(302, { location: origin + url }).end())
const page =
  (content: string, headers = {}): RequestListener =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(content)

/** A proxy that refuses every request, in Squid's words. */
const squid =
  (status: number, error: string, headers = '') =>
  async ({ listen }: Rig): Promise<Start> => {
    const text = `HTTP/1.1 ${status} -\r\nServer: squid/5.7\r\nX-Squid-Error: ${error}\r\n${headers}Content-Length: 0\r\n\r\n`
    const server = createServer((socket) => socket.once('data', () => socket.end(text)))
    await listen(server, 'proxy.rig.test', 3128)
    return { env: { HTTPS_PROXY: 'http://proxy.rig.test:3128' } }
  }

/** The host passes requests on, and its responses come with another `Date`. */
const withDate = (name: string, seconds: number) => async (rig: Rig) => {
  const role = rig.enclave.addressOf(name)
  await host(name, (incoming, response) => {
    const { url, method, headers } = incoming
    const upstream = request({ ...role, servername: name, path: url, method, headers, ca: rig.ca.certificatePem })
    upstream.on('response', (answer: IncomingMessage) => {
      const date = new Date(Date.now() + seconds * 1000).toUTCString()
      answer.pipe(response.writeHead(answer.statusCode ?? 500, { ...answer.headers, date }))
    })
    incoming.pipe(upstream)
  })(rig)
}

const governmentTenant = {
  cloud_instance_name: 'microsoftonline.us',
  tenant_region_scope: 'USGov',
  tenant_region_sub_scope: 'DODCON',
  msgraph_host: 'graph.microsoft.us',
}
const managedIdentityAt = (endpoint: string) => (): Start => ({
  mode: 'managedIdentity',
  env: { IDENTITY_ENDPOINT: endpoint },
})

/** Each row of the table of kinds, with its siblings. */
export const situations: Readonly<Record<string, Situation>> = {
  // The profile is proven
  'a vault that DNS does not know, in a cloud whose metadata names its suffix': {
    arrange: withEnv({ PLATFORM_KEY_VAULT: 'absent' }),
    code: 'SERVICE_DNS_FAILED',
    fix: /PLATFORM_KEY_VAULT/,
    never: profileFile,
  },
  'a login authority that a device rejects': {
    arrange: resolving('login.rig.test', '10.7.1.1'),
    code: 'AUTHORITY_UNREACHABLE',
    fix: /route/,
    never: profileFile,
  },
  'a login authority that redirects to another host of the same cloud': {
    arrange: redirectTo('https://sso.rig.test'),
    code: 'AUTHORITY_REDIRECTED',
    fix: /operator of login\.rig\.test/,
    never: profileFile,
  },
  // Another cloud answers
  'a login authority that redirects to the public one': {
    arrange: redirectTo('https://login.microsoftonline.com'),
    code: 'AUTHORITY_REDIRECTED',
    fix: /Commercial cloud/,
  },
  'the metadata document of the public cloud, while token and resource manager work': {
    arrange: ({ enclave }) =>
      enclave.setFault(
        {
          kind: 'replaced-fields',
          fields: {
            name: 'AzureCloud',
            resourceManager: 'https://management.azure.com/',
            authentication: {
              loginEndpoint: 'https://login.microsoftonline.com/',
              audiences: ['https://management.azure.com/'],
            },
          },
        },
        'resource-manager/metadata',
      ),
    code: 'METADATA_CLOUD_NOT_LISTED',
    fix: /Commercial cloud/,
    never: /orrect `resourceManagerEndpoint`/,
  },
  // Tenant of another cloud
  'a tenant of the government, refused as one of another cloud': {
    arrange: async ({ enclave }) => {
      await enclave.setFault({ kind: 'replaced-fields', fields: governmentTenant }, 'login/openid-configuration')
      await enclave.setFault({ kind: 'aadsts', number: 900432 }, 'login/token')
    },
    code: 'TENANT_OF_ANOTHER_CLOUD',
    fix: /US Government/,
    change: { variable: 'PLATFORM_CLOUD', value: 'platform-us-government' },
  },
  // Layer
  'a login authority whose packets vanish': {
    arrange: resolving('login.rig.test', '10.7.2.1'),
    code: 'AUTHORITY_TIMEOUT',
    fix: firewall,
    never: profileFile,
  },
  // Address
  'a login authority at an address of loopback': {
    arrange: resolving('login.rig.test', '0.0.0.0'),
    code: 'AUTHORITY_REFUSED',
    fix: /DNS record of login\.rig\.test/,
  },
  'a vault at a public address, while its siblings are private': {
    arrange: (rig) => {
      resolving('two.vault.rig.test', '52.1.2.3')(rig)
      return { env: { PLATFORM_KEY_VAULT: 'two', PLATFORM_STORAGE_ACCOUNT: 'one' } }
    },
    code: 'SERVICE_REFUSED',
    fix: /private DNS zone/,
  },
  // Whose clock
  'a clock of the login authority alone that is wrong': {
    arrange: withDate('login.rig.test', 7200),
    code: 'CLOCK_SKEW',
    fix: /operator of login\.rig\.test/,
    never: clock,
  },
  // Whose certificate
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
    arrange: withEnv({ NODE_EXTRA_CA_CERTS: '' }),
    code: 'AUTHORITY_UNTRUSTED',
    fix: /SHA-256.*set NODE_EXTRA_CA_CERTS/,
    change: { variable: 'NODE_EXTRA_CA_CERTS' },
  },
  // The peer's own words
  'a proxy that cannot resolve the name': {
    arrange: squid(503, 'ERR_DNS_FAIL 0'),
    code: 'AUTHORITY_PROXY_FAILED',
    fix: /DNS server/,
  },
  'a proxy whose rules refuse the host': {
    arrange: squid(403, 'ERR_ACCESS_DENIED 0'),
    code: 'AUTHORITY_PROXY_FAILED',
    fix: /to allow/,
  },
  'a proxy that asks for a sign-in that the service does not offer': {
    arrange: squid(407, 'ERR_CACHE_ACCESS_DENIED 0', 'Proxy-Authenticate: Negotiate\r\n'),
    code: 'AUTHORITY_PROXY_FAILED',
    fix: /Negotiate/,
  },
  // Own settings
  'the variables of a client secret in the mode of a certificate': {
    arrange: ({ enclave }) => ({
      mode: 'clientCertificate',
      env: { PLATFORM_CLIENT_CERTIFICATE_PATH: '', PLATFORM_CLIENT_SECRET: enclave.clientSecret },
    }),
    code: 'CREDENTIAL_SETTING_MISSING',
    fix: /AUTH_MODE=clientSecret/,
  },
  'a file of proxy rules in place of a proxy': {
    arrange: withEnv({ HTTPS_PROXY: 'http://wpad.rig.test/proxy.pac' }),
    code: 'AUTHORITY_PROXY_FAILED',
    fix: /PAC/,
    change: { variable: 'HTTPS_PROXY' },
  },
  'a client certificate in PKCS #12': {
    arrange: ({ files, run }) => {
      run('openssl pkcs12 -export -in client-certificate.pem -out client.pfx -passout pass:example')
      return { mode: 'clientCertificate', env: { PLATFORM_CLIENT_CERTIFICATE_PATH: `${files.directory}/client.pfx` } }
    },
    code: 'CREDENTIAL_FILE_UNREADABLE',
    fix: /openssl pkcs12/,
  },
  // Identity endpoint
  'an identity endpoint whose agent does not run': {
    arrange: managedIdentityAt('http://127.0.0.1:9/msi/token'),
    code: 'IDENTITY_ENDPOINT_REFUSED',
    fix: /nothing listens at 127\.0\.0\.1:9/,
  },
  'an identity endpoint whose packets vanish': {
    arrange: managedIdentityAt('http://10.7.2.2/msi/token'),
    code: 'IDENTITY_ENDPOINT_TIMEOUT',
    fix: /firewall|policy|Allow/,
  },
  // DNS server
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
  'a DNS server that does not know the login authority': {
    arrange: resolving('login.rig.test', 'NXDOMAIN'),
    code: 'AUTHORITY_DNS_FAILED',
    fix: /private zone/,
    never: profileFile,
  },
  // Portal or gateway
  'the same page from all hosts': {
    arrange: async (rig) => {
      for (const name of Object.keys(hosts).slice(0, 4)) await host(name, page('<title>Guest Wi-Fi</title>'))(rig)
      return { env: { PLATFORM_STORAGE_ACCOUNT: 'one', PLATFORM_KEY_VAULT: 'two' } }
    },
    code: 'AUTHORITY_RESPONSE_INVALID',
    fix: /Guest Wi-Fi/,
    never: profileFile,
  },
  // Federation
  'a federated token of an audience that the cluster shares': {
    arrange: async ({ enclave, write }) => {
      const token = await enclave.issueFederatedToken({ audience: 'https://kubernetes.default.svc' })
      return { mode: 'workloadIdentity', env: { PLATFORM_FEDERATED_TOKEN_FILE: write('token', token) } }
    },
    code: 'CLIENT_ASSERTION_REJECTED',
    fix: /api:\/\/AzureADTokenExchange/,
    never: /Register[^:]*audience https:\/\/kubernetes/,
  },
}
