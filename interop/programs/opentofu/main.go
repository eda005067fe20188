// Package main uses what the azurerm backend of OpenTofu logs in with: the metadata host, the credential and the container client. The
// whole backend pulls in every cloud's SDK. The build copies this file into the module of OpenTofu, because the package is internal there.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/opentofu/opentofu/internal/backend/remote-state/azure/auth"
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	ctx := context.Background()
	cloud, suffix, err := auth.CloudConfigFromAddresses(ctx, "", os.Getenv("ARM_METADATA_HOST"))
	must(err)
	config := &auth.Config{
		ClientSecretCredentialAuthConfig: auth.ClientSecretCredentialAuthConfig{
			ClientID:     os.Getenv("ARM_CLIENT_ID"),
			ClientSecret: os.Getenv("ARM_CLIENT_SECRET"),
		},
		StorageAddresses: auth.StorageAddresses{
			CloudConfig:      cloud,
			StorageAccount:   os.Getenv("ACCOUNT"),
			StorageContainer: os.Getenv("CONTAINER"),
			StorageSuffix:    suffix,
			SubscriptionID:   os.Getenv("ARM_SUBSCRIPTION_ID"),
			TenantID:         os.Getenv("ARM_TENANT_ID"),
		},
	}
	method, err := auth.GetAuthMethod(ctx, config)
	must(err)
	credential, err := method.Construct(ctx, config)
	must(err)
	client, err := auth.NewContainerClient(ctx, config.StorageAddresses, credential)
	must(err)
	_, err = client.NewListBlobsFlatPager(&container.ListBlobsFlatOptions{}).NextPage(ctx)
	must(err)
}
