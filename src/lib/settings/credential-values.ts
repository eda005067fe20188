import { ownCopy, withoutUndefined } from '../base/json.ts'
import { readProxies, readVariable, type Env } from '../base/env.ts'
import { Secret } from '../base/secret.ts'
import type { ValuesOf } from './setting.ts'
import type { AuthMode, credentialTable } from './setting-table.ts'

/** The variables that a host or a cluster sets, not an operator. */
export const injectedVariables = {
  /** The webhook of a cluster with federated workload identities. The settings of the same keys win. */
  tenantId: 'AZURE_TENANT_ID',
  clientId: 'AZURE_CLIENT_ID',
  federatedTokenFile: 'AZURE_FEDERATED_TOKEN_FILE',
  /** App Service, Service Fabric and Arc. */
  identityEndpoint: 'IDENTITY_ENDPOINT',
  /** Cloud Shell and machine learning. */
  msiEndpoint: 'MSI_ENDPOINT',
  /** Arc. */
  imdsEndpoint: 'IMDS_ENDPOINT',
  podIdentityHost: 'AZURE_POD_IDENTITY_AUTHORITY_HOST',
  /** App Service: present with and without an identity. */
  instanceId: 'WEBSITE_INSTANCE_ID',
  /** A pod of a cluster. */
  kubernetesHost: 'KUBERNETES_SERVICE_HOST',
} as const

/** The variables that the credential library reads for a managed identity: its endpoint, the secret of the request, and its client id. */
const identityVariables =
  'IDENTITY_ENDPOINT IDENTITY_HEADER IDENTITY_SERVER_THUMBPRINT MSI_ENDPOINT MSI_SECRET IMDS_ENDPOINT AZURE_POD_IDENTITY_AUTHORITY_HOST DEFAULT_IDENTITY_CLIENT_ID'

/** The variables that the command-line tool needs to find its files, its configuration and its cloud, in any letter case. */
const toolNames: ReadonlySet<string> = new Set(
  `PATH PATHEXT HOME USER USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA SYSTEMROOT COMSPEC TEMP TMP TMPDIR LANG LC_ALL
AZURE_CONFIG_DIR AZURE_EXTENSION_DIR REQUESTS_CA_BUNDLE SSL_CERT_FILE SSL_CERT_DIR
HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY`.split(/\s/),
)
const toolFamily = /^(XDG|AZURE_CORE)_\w+$/

/** The values that the host or cluster sets for this environment. */
export type Injected = Readonly<Record<keyof typeof injectedVariables, string | undefined>>

/** The values of the credential table, with the values that the environment adds. */
export interface CredentialValues extends Omit<ValuesOf<typeof credentialTable>, 'authMode'> {
  readonly authMode: AuthMode
  /** `AUTH_MODE`, the variable by which the host offers the mode, or `default` if it offers none. */
  readonly authModeFrom: string
  /** Hosts (`host` or `host:port`) besides the authority that may receive token requests. */
  readonly allowedTokenHosts: readonly string[]
  /** Variables that a host or a cluster injects. */
  readonly injected: Injected
  /** The variables of a managed identity. Two of them are secrets. */
  readonly identityVariables: Secret<Env> | undefined
  /** The proxy variables. Their values may contain passwords. */
  readonly proxies: Secret<Env>
  /** The environment of the command-line tool. The only secret that it may contain is the password of a proxy. */
  readonly toolEnvironment: Secret<Readonly<Record<string, string>>>
}

type WorkloadValues = Pick<CredentialValues, 'tenantId' | 'clientId' | 'federatedTokenFile' | 'injected'>

/** Adds to the values of the credential table: the default mode if none is set, and the variables that a platform sets. */
export function completeCredential(values: ValuesOf<typeof credentialTable>, env: Env): CredentialValues {
  const read = Object.entries(injectedVariables).map(([key, name]) => [key, readVariable(env, name)])
  const injected = Object.fromEntries(read) as Injected
  const identity = readIdentityVariables(env)
  const { authMode } = values
  return ownCopy({
    ...values,
    ...(authMode === undefined ? detectAuthMode({ ...values, injected }) : { authMode, authModeFrom: 'AUTH_MODE' }),
    allowedTokenHosts: values.allowedTokenHosts ?? [],
    injected,
    identityVariables: Object.keys(identity).length === 0 ? undefined : new Secret(identity),
    proxies: new Secret(readProxies(env)),
    toolEnvironment: new Secret(toolVariables(env)),
  })
}

/** The variables of a managed identity that are set. */
export function readIdentityVariables(env: Env): Env {
  return withoutUndefined(
    Object.fromEntries(identityVariables.split(' ').map((name) => [name, readVariable(env, name)])),
  )
}

/** The variables that the command-line tool gets. */
export function toolVariables(env: Env): Record<string, string> {
  const isPassed = (name: string) => toolNames.has(name) || toolFamily.test(name)
  const entries = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return Object.fromEntries(entries.filter(([name]) => isPassed(name.toUpperCase())))
}

/** The variable by which the host offers an identity endpoint. */
export function identityOffer({ injected }: Pick<CredentialValues, 'injected'>): string | undefined {
  const offer = (['identityEndpoint', 'msiEndpoint', 'instanceId'] as const).find((key) => injected[key] !== undefined)
  return offer && injectedVariables[offer]
}

/** The values of a federated workload: from the settings, or else from the variables that a cluster's webhook injects. */
export function workloadOf({ tenantId, clientId, federatedTokenFile, injected }: WorkloadValues) {
  return {
    tenantId: tenantId ?? injected.tenantId,
    clientId: clientId ?? injected.clientId,
    federatedTokenFile: federatedTokenFile ?? injected.federatedTokenFile,
  }
}

/** The tenant that the settings name for the mode. */
export function namedTenant(values: WorkloadValues & { readonly authMode: string }): string | undefined {
  return values.authMode === 'workloadIdentity' ? workloadOf(values).tenantId : values.tenantId
}

/** The tenant that the credential signs in to, and the tenant of the profile. */
export interface TenantInUse {
  readonly tenantId: string
  /** The variable that names it, or `profile`. */
  readonly from: 'PLATFORM_TENANT_ID' | 'AZURE_TENANT_ID' | 'profile'
  readonly profileTenantId?: string
}

/** The tenant of the sign-in. A variable also takes effect with a profile file, which it doesn't change. */
export function tenantInUse(
  { tenantId: profileTenantId }: { readonly tenantId?: string },
  settings: WorkloadValues & Pick<CredentialValues, 'authMode'>,
  env: Env,
): TenantInUse | undefined {
  const named = namedTenant(settings)
  const tenantId = named ?? profileTenantId
  const variable = readVariable(env, 'PLATFORM_TENANT_ID') === undefined ? 'AZURE_TENANT_ID' : 'PLATFORM_TENANT_ID'
  const from = named === undefined ? 'profile' : variable
  return tenantId === undefined ? undefined : { tenantId, from, ...(profileTenantId && { profileTenantId }) }
}

/** The mode if AUTH_MODE is unset: a federated token decides, then an identity endpoint, then the command-line tool of a developer. */
function detectAuthMode(values: WorkloadValues): Pick<CredentialValues, 'authMode' | 'authModeFrom'> {
  if (Object.values(workloadOf(values)).every((value) => value !== undefined)) {
    const isInjected = values.federatedTokenFile === undefined
    const authModeFrom = isInjected ? injectedVariables.federatedTokenFile : 'PLATFORM_FEDERATED_TOKEN_FILE'
    return { authMode: 'workloadIdentity', authModeFrom }
  }
  const offer = identityOffer(values)
  return { authMode: offer === undefined ? 'platformCli' : 'managedIdentity', authModeFrom: offer ?? 'default' }
}
