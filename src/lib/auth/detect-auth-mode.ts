import type { CredentialSettings } from './credential-settings.ts'
import { injectedVariables } from './injected-variables.ts'

const identityOffers = ['identityEndpoint', 'msiEndpoint', 'instanceId'] as const

/** Whether the host offers an identity endpoint. */
export function offersManagedIdentity({ injected }: Pick<CredentialSettings, 'injected'>): boolean {
  return identityOffers.some((key) => injected[key] !== undefined)
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

/** A mode, and what it was chosen by. */
export interface ChosenMode {
  readonly authMode: 'workloadIdentity' | 'managedIdentity' | 'platformCli'
  /** `detected:` and the variable that the host sets, or `none`. */
  readonly authModeFrom: `detected:${string}`
}

/** The mode if AUTH_MODE is unset: by federated token, else by identity endpoint, else by the command-line tool of a developer. */
export function detectAuthMode(settings: WorkloadSettings): ChosenMode {
  if (Object.values(workloadOf(settings)).every((value) => value !== undefined)) {
    const variable =
      settings.federatedTokenFile === undefined ? injectedVariables.workloadTokenFile : 'PLATFORM_FEDERATED_TOKEN_FILE'
    return { authMode: 'workloadIdentity', authModeFrom: `detected:${variable}` }
  }
  const offered = identityOffers.find((key) => settings.injected[key] !== undefined)
  return offered === undefined
    ? { authMode: 'platformCli', authModeFrom: 'detected:none' }
    : { authMode: 'managedIdentity', authModeFrom: `detected:${injectedVariables[offered]}` }
}
