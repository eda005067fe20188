// Lists the secret names of a vault. The first argument is the vault name.
import { SecretClient } from '@azure/keyvault-secrets'
import { resolveCloud } from 'cloud-profile-service'

const { credential, service } = await resolveCloud()
const vault = process.env['KEY_VAULT_URL'] ?? service('keyVault', process.argv[2] ?? '').url

// The client reads the audience from the challenge of the vault, and refuses an audience outside the vault's domain. If a private endpoint
// has another name, switch this check off.
const secrets = new SecretClient(vault, credential, {
  disableChallengeResourceVerification: process.env['KEY_VAULT_URL'] !== undefined,
})
for await (const { name } of secrets.listPropertiesOfSecrets()) console.log(name)
