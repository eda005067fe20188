import dns from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import Module from 'node:module'
import net from 'node:net'
import { setDefaultCACertificates } from 'node:tls'
import { ManagedIdentityApplication } from '@azure/msal-node'
import { afterAll } from 'vitest'

/** Where the library keeps, once anything asked for a managed identity, its tokens and its endpoint for the life of the process. */
const library = ManagedIdentityApplication as unknown as { nodeStorage?: unknown }

/** What tests replace, by its owner. */
const replaceable: readonly (readonly [string, object, readonly string[]])[] = [
  ['globalThis', globalThis, ['Date', 'fetch', 'setImmediate', 'setInterval', 'setTimeout']],
  ['Date', Date, ['now']],
  ['Math', Math, ['random']],
  ['performance', performance, ['now']],
  ['process', process, ['cwd', 'exit', 'kill', 'umask']],
  ['process.stdout', process.stdout, ['write']],
  ['process.stderr', process.stderr, ['write']],
  ['Module.prototype', Module.prototype, ['require']],
  ['http', http, ['globalAgent', 'request']],
  ['https', https, ['globalAgent', 'request']],
  ['dns', dns, ['lookup']],
]

/** What a file must leave as it found it, because the next file in this process finds it. */
const state = (): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>([
    ...Object.entries(process.env).map(([name, value]) => [`process.env.${name}`, value] as const),
    ...process.eventNames().map((name) => [`listeners of ${String(name)}`, process.listenerCount(name)] as const),
    ...replaceable.flatMap(([name, owner, keys]) =>
      keys.map((key) => [`${name}.${key}`, Reflect.get(owner, key) as unknown] as const),
    ),
    ['process.cwd()', process.cwd()],
    ['process.umask()', process.umask()],
    ['dns.getDefaultResultOrder()', dns.getDefaultResultOrder()],
    ['dns.getServers()', dns.getServers().join()],
    ['net.getDefaultAutoSelectFamily()', net.getDefaultAutoSelectFamily()],
  ])

// A file that trusts the root of its enclave says so itself.
setDefaultCACertificates([])
const before = state()
const globals = new Set(Object.getOwnPropertyNames(globalThis))

afterAll(() => {
  // Emulated apps tell their tests something there. Names with `__` are of packages, which are loaded once.
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!globals.has(name) && !name.startsWith('__')) Reflect.deleteProperty(globalThis, name)
  }
  const after = state()
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  )
  if (changed.length > 0)
    throw new Error(`What this file leaves changed for the next one in this process: ${changed.join(', ')}`)
  if (library.nodeStorage === undefined) return
  library.nodeStorage = undefined
  throw new Error(
    'This file asks for a managed identity, and the next one in this process would get the same endpoint: add it to `managedIdentity` in vitest.config.ts',
  )
})
