import type { CloudProfile } from '../profile/cloud-profile.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { quoteWide as quote } from './quote.ts'
import { snippetValues } from './snippet-values.ts'
import { withoutSlash } from '../profile/tool-values.ts'

/**
 * A package for `azidentity`, with the two settings a private cloud needs. Credentials come from the environment. The
 * resource manager's clients append `/.default` to the audience, so it loses its final slash.
 */
export const goExport = defineExport({
  name: 'go',
  what: 'package for azidentity',
  group: 'sdk',
  comment: '//',
  addByHand: 'PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET; SSL_CERT_FILE',
  write,
})

function write(profile: CloudProfile): ExportText {
  const values = snippetValues(profile)
  const body = `
package cloudprofile

import (
	"cmp"
	"os"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
)

// Cloud configures every client and credential of this cloud.
var Cloud = cloud.Configuration{
	ActiveDirectoryAuthorityHost: ${quote(values.authority)},
	Services: map[cloud.ServiceName]cloud.ServiceConfiguration{
		cloud.ResourceManager: {
			Audience: ${quote(withoutSlash(profile.resourceManagerAudience))},
			Endpoint: ${quote(values.resourceManagerEndpoint)},
		},
	},
}

const (
	DisableInstanceDiscovery = ${values.disableInstanceDiscovery}
	ResourceManagerScope     = ${quote(values.resourceManagerScope)}
	StorageScope             = ${quote(values.storageScope)}
	KeyVaultScope            = ${quote(values.keyVaultScope)}
	StorageSuffix            = ${quote(values.storageSuffix)}
	KeyVaultSuffix           = ${quote(values.keyVaultSuffix)}
	SQLServerSuffix          = ${quote(values.sqlServerSuffix)}
	ContainerRegistrySuffix  = ${quote(values.containerRegistrySuffix)}
)

// NewCredential reads PLATFORM_TENANT_ID, PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET.
func NewCredential() (*azidentity.ClientSecretCredential, error) {
	return azidentity.NewClientSecretCredential(
		cmp.Or(os.Getenv("PLATFORM_TENANT_ID"), ${quote(values.tenantId)}),
		os.Getenv("PLATFORM_CLIENT_ID"),
		os.Getenv("PLATFORM_CLIENT_SECRET"),
		&azidentity.ClientSecretCredentialOptions{
			ClientOptions:            azcore.ClientOptions{Cloud: Cloud},
			DisableInstanceDiscovery: DisableInstanceDiscovery,
		},
	)
}
`
  return { body }
}
