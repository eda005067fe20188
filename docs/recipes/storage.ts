// Lists the containers of a storage account. The first argument is the account name.
import { BlobServiceClient } from '@azure/storage-blob'
import { resolveCloud } from 'cloud-profile-service'

const { credential, service } = await resolveCloud()
const { url, clientOptions } = service('blob', process.argv[2] ?? '')

// STORAGE_URL is the address of a private endpoint. Without the options, the client requests a token of the public cloud.
const blobs = new BlobServiceClient(process.env['STORAGE_URL'] ?? url, credential, clientOptions)
for await (const { name } of blobs.listContainers()) console.log(name)
