import { tmpdir } from 'node:os'
import { delimiter, dirname } from 'node:path'

/** The environment of a child process, without this machine's certificates, proxies and credentials. */
export function cleanEnvironment(variables: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const PATH = [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter)
  // A child reuses the code that Node has compiled for an earlier one, and runs in FIPS mode if the tests do.
  const ofRun = ['NODE_COMPILE_CACHE', 'OPENSSL_CONF', 'OPENSSL_MODULES'].filter((name) => name in process.env)
  return { PATH, HOME: tmpdir(), ...Object.fromEntries(ofRun.map((name) => [name, process.env[name]])), ...variables }
}

/** Makes a child serve a placeholder profile whose credential cannot be built: nothing is contacted, ever. */
export const offline = { PLATFORM_CLOUD: 'platform-us-gov-secret', AUTH_MODE: 'clientSecret' } as const
