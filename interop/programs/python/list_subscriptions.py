"""Lists the subscriptions with the exported module `cloud`, which the run puts on PYTHONPATH."""

from azure.mgmt.subscription import SubscriptionClient

import cloud

client = SubscriptionClient(
    cloud.create_credential(),
    base_url=cloud.RESOURCE_MANAGER_ENDPOINT.rstrip("/"),
    credential_scopes=[cloud.RESOURCE_MANAGER_SCOPE],
)
print([subscription.subscription_id for subscription in client.subscriptions.list()])
