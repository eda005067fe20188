import type { CredentialSettings } from './credential-settings.ts'

/** Whether the host offers an identity endpoint. */
export function offersManagedIdentity({ injected }: Pick<CredentialSettings, 'injected'>): boolean {
  return [injected.identityEndpoint, injected.msiEndpoint, injected.instanceId].some((value) => value !== undefined)
}

/** The values of a federated workload: those of the settings, else those that a cluster's webhook injects. */
export function workloadOf({ tenantId, clientId, federatedTokenFile, injected }: WorkloadSettings) {
  return {
    tenantId: tenantId ?? injected.workloadTenantId,
    clientId: clientId ?? injected.workloadClientId,
    tokenFilePath: federatedTokenFile ?? injected.workloadTokenFile,
  }
}

type WorkloadSettings = Pick<CredentialSettings, 'tenantId' | 'clientId' | 'federatedTokenFile' | 'injected'>

/** The mode if AUTH_MODE is unset: by federated token, else by identity endpoint, else by the command-line tool of a developer. */
export function detectAuthMode(settings: WorkloadSettings): 'workloadIdentity' | 'managedIdentity' | 'platformCli' {
  if (Object.values(workloadOf(settings)).every((value) => value !== undefined)) return 'workloadIdentity'
  return offersManagedIdentity(settings) ? 'managedIdentity' : 'platformCli'
}
