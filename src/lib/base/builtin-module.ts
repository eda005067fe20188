import type * as crypto from 'node:crypto'
import type * as https from 'node:https'
import { createRequire } from 'node:module'
import type * as tls from 'node:tls'

interface Modules {
  readonly 'node:crypto': typeof crypto
  readonly 'node:https': typeof https
  readonly 'node:tls': typeof tls
}

/**
 * Loads a module of Node on first use. TLS takes 5 MB of memory, and TLS with cryptography takes a third of the time of a short command.
 * `process.getBuiltinModule` needs Node 22.3.
 */
export const builtinModule = <K extends keyof Modules>(name: K) => createRequire(process.execPath)(name) as Modules[K]
