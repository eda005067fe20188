// Lists the subscriptions with the exported package `cloudprofile`, which the run puts beside this one.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/arm"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/resources/armsubscriptions"

	"interop/go/cloudprofile"
)

func main() {
	credential, err := cloudprofile.NewCredential()
	check(err)
	options := &arm.ClientOptions{ClientOptions: azcore.ClientOptions{Cloud: cloudprofile.Cloud}}
	client, err := armsubscriptions.NewClient(credential, options)
	check(err)
	page, err := client.NewListPager(nil).NextPage(context.Background())
	check(err)
	fmt.Println(*page.Value[0].SubscriptionID)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
