// Lists the subscriptions that the identity may read.
import { SubscriptionClient } from '@azure/arm-resources-subscriptions'
import { resolveCloud } from 'cloud-profile-service'

const { credential, resourceManager } = await resolveCloud()
const client = new SubscriptionClient(credential, resourceManager.clientOptions)
for await (const { subscriptionId } of client.subscriptions.list()) console.log(subscriptionId)
