// Lists the containers of a storage account. The first argument is the account name.
import { BlobServiceClient } from '@azure/storage-blob'
import { createCredential, createCredentialPlan, resolveCloudProfile, scopeFor, serviceUrl } from 'cloud-profile-service'

const profile = resolveCloudProfile()
const credential = await createCredential(createCredentialPlan(profile))
// STORAGE_URL is the address of a private endpoint. Without it, the name and the DNS suffix of the profile form the address.
const account = process.env['STORAGE_URL'] ?? serviceUrl(profile, 'storage', process.argv[2] ?? '')

// This client calls a scope an audience. Without one, it requests a token of the public cloud.
const blobs = new BlobServiceClient(account, credential, { audience: scopeFor(profile.serviceAudiences.storage) })
for await (const { name } of blobs.listContainers()) console.log(name)
