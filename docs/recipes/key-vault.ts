// Lists the names of a vault's secrets. The vault's name is the first argument.
import { SecretClient } from '@azure/keyvault-secrets'
import { createCredential, createCredentialPlan, resolveCloudProfile, serviceUrl } from 'cloud-profile-service'

const profile = resolveCloudProfile()
const credential = await createCredential(createCredentialPlan(profile))
const vault = process.env['KEY_VAULT_URL'] ?? serviceUrl(profile, 'keyVault', process.argv[2] ?? '')

// The client takes the audience from the vault's own challenge, and refuses one that is not the vault's domain. Behind a private endpoint
// whose name is another, that check has to be switched off.
const secrets = new SecretClient(vault, credential, {
  disableChallengeResourceVerification: process.env['KEY_VAULT_URL'] !== undefined,
})
for await (const { name } of secrets.listPropertiesOfSecrets()) console.log(name)
