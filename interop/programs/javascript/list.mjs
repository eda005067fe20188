// Lists subscriptions, containers and secrets with the exported module, which the run names.
import { SubscriptionClient } from '@azure/arm-resources-subscriptions'
import { SecretClient } from '@azure/keyvault-secrets'
import { BlobServiceClient } from '@azure/storage-blob'

const { cloud, createCredential } = await import(process.env.CLOUD_MODULE)
const credential = createCredential()
const first = async (list) => {
  for await (const item of list) return item
  throw new Error('The list is empty')
}

const subscriptions = new SubscriptionClient(credential, {
  endpoint: cloud.resourceManagerEndpoint.replace(/\/$/, ''),
  credentials: { scopes: [cloud.resourceManagerScope] },
})
process.stdout.write(`${(await first(subscriptions.subscriptions.list())).subscriptionId}\n`)

// What this client calls an audience is a scope.
const blobs = new BlobServiceClient(process.env.STORAGE_URL, credential, { audience: cloud.storageScope })
process.stdout.write(`${(await first(blobs.listContainers())).name}\n`)

const secrets = new SecretClient(process.env.VAULT_URL, credential, {
  disableChallengeResourceVerification: process.env.VAULT_URL.includes('localhost'),
})
process.stdout.write(`${(await first(secrets.listPropertiesOfSecrets())).name}\n`)
