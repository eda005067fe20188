import { ManagedIdentityCredential } from '@azure/identity'

// A separate process for each environment: the library keeps source, client and tokens in process-wide statics.
const [scope = '', clientId = ''] = process.argv.slice(2)
const options = { retryOptions: { maxRetries: 0 } }
const credential =
  clientId === '' ? new ManagedIdentityCredential(options) : new ManagedIdentityCredential({ clientId, ...options })
const outcome = await credential.getToken(scope).then(
  ({ token, expiresOnTimestamp }) => ({ token, expiresOnTimestamp }),
  (error: unknown) => ({ error: String(error) }),
)
process.stdout.write(JSON.stringify(outcome))
