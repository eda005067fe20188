// Reads the environment file, logs in and lists the subscriptions: what older Go programs do.
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/Azure/go-autorest/autorest"
	"github.com/Azure/go-autorest/autorest/adal"
	"github.com/Azure/go-autorest/autorest/azure"
)

func main() {
	environment, err := azure.EnvironmentFromName("AzureStackCloud")
	check(err)
	config, err := adal.NewOAuthConfig(environment.ActiveDirectoryEndpoint, os.Getenv("PLATFORM_TENANT_ID"))
	check(err)
	token, err := adal.NewServicePrincipalToken(
		*config,
		os.Getenv("PLATFORM_CLIENT_ID"),
		os.Getenv("PLATFORM_CLIENT_SECRET"),
		environment.TokenAudience,
	)
	check(err)
	check(token.EnsureFresh())
	request, err := autorest.CreatePreparer(
		autorest.AsGet(),
		autorest.WithBaseURL(strings.TrimSuffix(environment.ResourceManagerEndpoint, "/")),
		autorest.WithPath("/subscriptions"),
		autorest.WithQueryParameters(map[string]interface{}{"api-version": "2022-12-01"}),
		autorest.NewBearerAuthorizer(token).WithAuthorization(),
	).Prepare(&http.Request{})
	check(err)
	response, err := autorest.Send(request)
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
