// Lists the subscriptions that the identity may read.
import { SubscriptionClient } from '@azure/arm-resources-subscriptions'
import { createCredential, createCredentialPlan, resolveCloudProfile, scopeFor } from 'cloud-profile-service'

const profile = resolveCloudProfile()
const credential = await createCredential(createCredentialPlan(profile))

const subscriptions = new SubscriptionClient(credential, {
  // The client appends a slash to the endpoint.
  endpoint: profile.resourceManagerEndpoint.replace(/\/$/, ''),
  credentials: { scopes: [scopeFor(profile.resourceManagerAudience)] },
})
for await (const { subscriptionId } of subscriptions.subscriptions.list()) console.log(subscriptionId)
