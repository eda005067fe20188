// Command velero uses the storage client that the object store of velero and its Azure plugin have: the plugin itself is not to be had.
// The configuration of the backup storage location stands in LOCATION as JSON.
package main

import (
	"context"
	"encoding/json"
	"io"
	"os"

	"github.com/sirupsen/logrus"
	"github.com/vmware-tanzu/velero/pkg/util/azure"
)

func must(err error) {
	if err != nil {
		logrus.Fatal(err)
	}
}

func main() {
	location := map[string]string{}
	must(json.Unmarshal([]byte(os.Getenv("LOCATION")), &location))
	client, _, err := azure.NewStorageClient(logrus.StandardLogger(), location)
	must(err)
	const text = "a backup"
	_, err = client.UploadBuffer(context.Background(), os.Getenv("BUCKET"), "backups/one", []byte(text), nil)
	must(err)
	answer, err := client.DownloadStream(context.Background(), os.Getenv("BUCKET"), "backups/one", nil)
	must(err)
	read, err := io.ReadAll(answer.Body)
	must(err)
	if string(read) != text {
		logrus.Fatalf("read %q", read)
	}
}
