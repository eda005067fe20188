import type { CertificateAuthority } from './certificates/certificate-authority.ts'
import type { FederatedTokenOptions } from './cluster.ts'
import type { Directory } from './directory.ts'
import type { EnclaveProfile } from './profile.ts'

type ClientFacts =
  | 'audiences'
  | 'tenantId'
  | 'directoryId'
  | 'subscriptionId'
  | 'clientId'
  | 'clientSecret'
  | 'username'
  | 'password'

/** The addresses, identities and secrets of a running enclave, and the tokens of its cluster. */
export interface EnclaveCloud extends Pick<Directory, ClientFacts> {
  readonly ca: CertificateAuthority
  /** `https://localhost:PORT/`, or with `adfs/` for a federation service. */
  readonly authorityHost: string
  readonly resourceManagerEndpoint: string
  readonly resourceManagerAudience: string
  /** Where metadata is served, without its query. */
  readonly metadataEndpoint: string
  readonly vaultEndpoint: string
  readonly storageEndpoint: string
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
