// Reads the cloud from a metadata host, logs in and lists the subscriptions: what the Terraform providers do.
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/hashicorp/go-azure-sdk/sdk/auth"
	"github.com/hashicorp/go-azure-sdk/sdk/environments"
)

func main() {
	ctx := context.Background()
	environment, err := environments.FromEndpoint(ctx, os.Getenv("METADATA_ENDPOINT"))
	check(err)
	authorizer, err := auth.NewAuthorizerFromCredentials(ctx, auth.Credentials{
		Environment:                           *environment,
		TenantID:                              os.Getenv("PLATFORM_TENANT_ID"),
		ClientID:                              os.Getenv("PLATFORM_CLIENT_ID"),
		ClientSecret:                          os.Getenv("PLATFORM_CLIENT_SECRET"),
		EnableAuthenticatingUsingClientSecret: true,
	}, environment.ResourceManager)
	check(err)
	token, err := authorizer.Token(ctx, &http.Request{})
	check(err)
	endpoint, _ := environment.ResourceManager.Endpoint()
	address := strings.TrimSuffix(*endpoint, "/") + "/subscriptions?api-version=2022-12-01"
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	check(err)
	token.SetAuthHeader(request)
	response, err := http.DefaultClient.Do(request)
	check(err)
	body, err := io.ReadAll(response.Body)
	check(err)
	if response.StatusCode != http.StatusOK {
		check(fmt.Errorf("status %d: %s", response.StatusCode, body))
	}
	fmt.Println(string(body))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
