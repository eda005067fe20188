// Lists the containers of a storage account. The first argument is the account name.
import { BlobServiceClient } from '@azure/storage-blob'
import { resolveCloud } from 'cloud-profile-service'

const { credential, service } = await resolveCloud()
const { url, scope } = service('storage', process.argv[2] ?? '')

// STORAGE_URL is the address of a private endpoint. This client calls a scope an audience. Without one, it requests a token of the public
// cloud.
const blobs = new BlobServiceClient(process.env['STORAGE_URL'] ?? url, credential, { audience: scope })
for await (const { name } of blobs.listContainers()) console.log(name)
