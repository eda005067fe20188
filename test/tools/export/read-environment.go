// Prints an environment as go-autorest reads it, by the name that programs give it. `.ci/deploy-tools` builds this file.
package main

import (
	"encoding/json"
	"os"

	// The snippet of `export go` is compiled beside this file.
	_ "github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/Azure/go-autorest/autorest/azure"
)

func main() {
	environment, err := azure.EnvironmentFromName(os.Args[1])
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(environment)
	}
	if err != nil {
		panic(err)
	}
}
