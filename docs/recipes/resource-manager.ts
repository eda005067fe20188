// Lists the subscriptions that the credential may see.
import { SubscriptionClient } from '@azure/arm-resources-subscriptions'
import { createCredential, createCredentialPlan, resolveCloudProfile, scopeFor } from 'cloud-profile-service'

const profile = resolveCloudProfile()
const credential = await createCredential(createCredentialPlan(profile))

const subscriptions = new SubscriptionClient(credential, {
  // The client puts a slash of its own after the endpoint.
  endpoint: profile.resourceManagerEndpoint.replace(/\/$/, ''),
  credentials: { scopes: [scopeFor(profile.resourceManagerAudience)] },
})
for await (const { subscriptionId } of subscriptions.subscriptions.list()) console.log(subscriptionId)
