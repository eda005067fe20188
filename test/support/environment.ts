import { tmpdir } from 'node:os'
import { delimiter, dirname } from 'node:path'

/**
 * The environment of a child process: what it needs to start, and the given variables. Nothing of this machine's
 * certificates, proxies and credentials.
 */
export function cleanEnvironment(variables: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const path = [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter)
  return { PATH: path, HOME: tmpdir(), ...compileCache(), ...variables }
}

/** A run starts the command line hundreds of times: what Node has made of a source, the next one takes over. */
function compileCache(): NodeJS.ProcessEnv {
  const { NODE_COMPILE_CACHE } = process.env
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
}

/** Makes a child serve a placeholder profile whose credential cannot be built: nothing is contacted, ever. */
export const offline = { PLATFORM_CLOUD: 'platform-us-gov-secret', AUTH_MODE: 'clientSecret' } as const
