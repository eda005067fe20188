import { tmpdir } from 'node:os'
import { delimiter, dirname } from 'node:path'

/**
 * The environment of a child process: what it needs to start, and the given variables. Nothing of this machine's
 * certificates, proxies and credentials.
 */
export function cleanEnvironment(variables: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const path = [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter)
  return { PATH: path, HOME: tmpdir(), ...variables }
}

/** Makes a child serve a placeholder profile whose credential cannot be built: nothing is contacted, ever. */
export const offline = { PLATFORM_CLOUD: 'platform-us-gov-secret', AUTH_MODE: 'clientSecret' } as const
