import type { CertificateAuthority } from './certificates/certificate-authority.ts'
import type { FederatedTokenOptions } from './cluster.ts'
import type { Audiences } from './directory.ts'
import type { EnclaveProfile } from './profile.ts'

/** What a running enclave is: its addresses, identities and secrets, and its cluster's tokens. */
export interface EnclaveCloud {
  readonly ca: CertificateAuthority
  /** `https://localhost:PORT/`, or with `adfs/` for a federation service. */
  readonly authorityHost: string
  readonly resourceManagerEndpoint: string
  readonly resourceManagerAudience: string
  /** Where metadata is served, without its query. */
  readonly metadataEndpoint: string
  readonly vaultEndpoint: string
  readonly storageEndpoint: string
  readonly audiences: Audiences
  readonly tenantId: string
  /** The tenant's GUID, also where `tenantId` is `adfs`: the command-line tool takes no other. */
  readonly directoryId: string
  readonly subscriptionId: string
  readonly clientId: string
  readonly clientSecret: string
  readonly username: string
  readonly password: string
  /** The application's certificate followed by its key. */
  readonly clientCertificatePem: string
  readonly managedIdentity: {
    readonly clientId: string
    readonly appService: { readonly endpoint: string; readonly header: string }
    /** For AZURE_POD_IDENTITY_AUTHORITY_HOST. Without a final slash. */
    readonly instanceMetadataHost: string
  }
  readonly profile: EnclaveProfile
  issueFederatedToken(options?: FederatedTokenOptions): Promise<string>
}
