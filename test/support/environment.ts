import { tmpdir } from 'node:os'
import { delimiter, dirname } from 'node:path'

/** The environment of a child process, without this machine's certificates, proxies and credentials. */
export function cleanEnvironment(variables: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const path = [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter)
  return { PATH: path, HOME: tmpdir(), ...inherited(), ...variables }
}

/**
 * What belongs to the run and not to the machine: a child reuses the code that Node has compiled for an earlier one, and
 * runs in FIPS mode if the tests do.
 */
function inherited(): NodeJS.ProcessEnv {
  const names = ['NODE_COMPILE_CACHE', 'OPENSSL_CONF', 'OPENSSL_MODULES']
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
}

/** Makes a child serve a placeholder profile whose credential cannot be built: nothing is contacted, ever. */
export const offline = { PLATFORM_CLOUD: 'platform-us-gov-secret', AUTH_MODE: 'clientSecret' } as const
