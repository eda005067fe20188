
package cloudprofile

import (
	"cmp"
	"fmt"
	"os"
	"regexp"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
)

// Cloud configures every client and credential of this cloud.
var Cloud = cloud.Configuration{
	ActiveDirectoryAuthorityHost: "{{authority}}",
	Services: map[cloud.ServiceName]cloud.ServiceConfiguration{
		cloud.ResourceManager: {
			Audience: ResourceManagerAudience,
			Endpoint: "{{resourceManagerEndpoint}}",
		},
	},
}

// ClientOptions is what every client and credential takes. A credential also takes DisableInstanceDiscovery.
var ClientOptions = azcore.ClientOptions{Cloud: Cloud}

const (
	DisableInstanceDiscovery = "{{disableInstanceDiscovery}}"
	TenantID                 = "{{tenantId}}"
	ResourceManagerAudience  = "{{resourceManagerAudience}}"
	StorageAudience          = "{{storageAudience}}"
	KeyVaultAudience         = "{{keyVaultAudience}}"
	ResourceManagerScope     = "{{resourceManagerScope}}"
	StorageScope             = "{{storageScope}}"
	KeyVaultScope            = "{{keyVaultScope}}"
	// An option of the vault clients: true for a vault outside the domain of its audience.
	DisableChallengeResourceVerification = "{{disableVaultCheck}}"
	StorageSuffix            = "{{storageSuffix}}"
	KeyVaultSuffix           = "{{keyVaultSuffix}}"
	SQLServerSuffix          = "{{sqlServerSuffix}}"
	ContainerRegistrySuffix  = "{{containerRegistrySuffix}}"
)

// Service has the values of one service. An empty text: the cloud has no such value.
type Service struct {
	Name, DNSSuffix, URL, Audience string
}

// Services lists further services.
var Services = []Service{
	// {{#each services}}
	{"{{name}}", "{{dnsSuffix}}", "{{url}}", "{{audience}}"},
	// {{/each}}
}

// NewCredential reads PLATFORM_TENANT_ID, PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET.
func NewCredential() (*azidentity.ClientSecretCredential, error) {
	return azidentity.NewClientSecretCredential(
		cmp.Or(os.Getenv("PLATFORM_TENANT_ID"), TenantID),
		os.Getenv("PLATFORM_CLIENT_ID"),
		os.Getenv("PLATFORM_CLIENT_SECRET"),
		&azidentity.ClientSecretCredentialOptions{
			ClientOptions:            ClientOptions,
			DisableInstanceDiscovery: DisableInstanceDiscovery,
		},
	)
}

// StorageURL is the address of a storage account.
func StorageURL(account string) (string, error) { return address(account, StorageSuffix) }

// KeyVaultURL is the address of a key vault.
func KeyVaultURL(vault string) (string, error) { return address(vault, KeyVaultSuffix) }

// SQLServerHost is the host of a SQL server.
func SQLServerHost(server string) (string, error) { return host(server, SQLServerSuffix) }

// ContainerRegistryHost is the host of a container registry.
func ContainerRegistryHost(registry string) (string, error) {
	return host(registry, ContainerRegistrySuffix)
}

var label = regexp.MustCompile("^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$")

func host(name, suffix string) (string, error) {
	if !label.MatchString(name) {
		return "", fmt.Errorf("%q is not the name of a resource", name)
	}
	return name + suffix, nil
}

func address(name, suffix string) (string, error) {
	found, err := host(name, suffix)
	if err != nil {
		return "", err
	}
	return "https://" + found + "/", nil
}
