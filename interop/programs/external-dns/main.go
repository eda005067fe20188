// Command external-dns lists the records of all zones with the Azure provider of external-dns: the whole program needs a cluster.
package main

import (
	"context"
	"fmt"
	"os"

	"sigs.k8s.io/external-dns/endpoint"
	"sigs.k8s.io/external-dns/provider"
	"sigs.k8s.io/external-dns/provider/azure"
)

func main() {
	all := endpoint.NewDomainFilter(nil)
	dns, err := azure.NewAzureProvider(os.Args[1], all, all, provider.NewZoneIDFilter(nil), "", "", "", "", 0, 1, true)
	if err == nil {
		var records []*endpoint.Endpoint
		records, err = dns.Records(context.Background())
		fmt.Println(len(records), "records")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
