// Lists the containers of a storage account. The account's name is the first argument.
import { BlobServiceClient } from '@azure/storage-blob'
import { createCredential, createCredentialPlan, resolveCloudProfile, scopeFor, serviceUrl } from 'cloud-profile-service'

const profile = resolveCloudProfile()
const credential = await createCredential(createCredentialPlan(profile))
// A private endpoint has an address of its own; else the name and the profile's suffix make it.
const account = process.env['STORAGE_URL'] ?? serviceUrl(profile, 'storage', process.argv[2] ?? '')

// This client calls a scope an audience, and without one asks for a token of the public cloud.
const blobs = new BlobServiceClient(account, credential, { audience: scopeFor(profile.serviceAudiences.storage) })
for await (const { name } of blobs.listContainers()) console.log(name)
