"""Signs in with MSAL, which asks for instance discovery unless it is told otherwise, and lists the subscriptions."""

import os
import urllib.request

import msal

application = msal.ConfidentialClientApplication(
    os.environ["AZURE_CLIENT_ID"],
    client_credential=os.environ["AZURE_CLIENT_SECRET"],
    authority=os.environ["AZURE_AUTHORITY_HOST"] + os.environ["AZURE_TENANT_ID"],
)
for _ in range(2):
    answer = application.acquire_token_for_client([os.environ["SCOPE"]])
    if "access_token" not in answer:
        raise SystemExit(answer.get("error_description", "no token"))
request = urllib.request.Request(os.environ["SUBSCRIPTIONS"])
request.add_header("Authorization", "Bearer " + answer["access_token"])
urllib.request.urlopen(request).read()
