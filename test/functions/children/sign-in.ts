import tls from 'node:tls'
import { ClientSecretCredential } from '@azure/identity'

// The credential library signs in with the variables PLATFORM_*, and asks the public instance discovery first. Its host resolves to this
// machine, at the port DISCOVERY_PORT. Prints the scope of the token.
const { env } = process
const read = (name: string): string => env[name] ?? ''

const { connect } = tls
const redirected = ((options: tls.ConnectionOptions, ...rest: []) =>
  connect(
    options.host === 'login.microsoftonline.com'
      ? { ...options, servername: options.host, host: '127.0.0.1', port: Number(read('DISCOVERY_PORT')) }
      : options,
    ...rest,
  )) as typeof connect
tls.connect = redirected

const scope = `${read('PLATFORM_RESOURCE_MANAGER_AUDIENCE')}.default`
const credential = new ClientSecretCredential(
  read('PLATFORM_TENANT_ID'),
  read('PLATFORM_CLIENT_ID'),
  read('PLATFORM_CLIENT_SECRET'),
  { authorityHost: read('PLATFORM_AUTHORITY_HOST'), retryOptions: { maxRetries: 0 } },
)
const { expiresOnTimestamp } = await credential.getToken(scope)
process.stdout.write(expiresOnTimestamp > Date.now() ? 'signed in\n' : 'expired\n')
