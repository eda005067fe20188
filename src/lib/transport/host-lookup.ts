import { ADDRCONFIG, lookup, promises as dns, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { callbackify, promisify } from 'node:util'
import { errorCode } from '../base/files.ts'

const lookUpBySystem = promisify(lookup)

/** Milliseconds for which the addresses of a name are reused, so that one diagnostics run looks a name up only once. */
const reuseMs = 5000

interface Lookup {
  readonly addresses: Promise<readonly LookupAddress[]>
  readonly since: number
  /** Infinite while the lookup runs. */
  until: number
}
/** Bounded by the hosts of the profile and of the variables. */
const lookups = new Map<string, Lookup>()
/** A process contacts the hosts of one profile, so more names are names of an attack or a mistake. */
const mostNames = 1000

/** Look up only the address families that this machine has, as Node does. A DNS server may never respond to a query for the other family. */
const hints = process.platform === 'win32' ? 0 : ADDRCONFIG

/**
 * The addresses of a name, as a connection gets them. Callers share a running lookup, and its result for 5 seconds. Node uses at most two of its
 * four threads for lookups, which can't be aborted, so a diagnostics run starts its token attempt first. @param now A monotonic clock.
 */
export async function lookUp(
  name: string,
  now: () => number = () => performance.now(),
): Promise<readonly LookupAddress[]> {
  const cached = lookups.get(name)
  if (cached !== undefined && cached.until > now()) return cached.addresses
  if (lookups.size >= mostNames) lookups.clear()
  const addresses = lookUpBySystem(name, { all: true, hints })
  const entry = { addresses, since: now(), until: Infinity }
  lookups.set(name, entry)
  addresses.then(
    () => (entry.until = now() + reuseMs),
    () => lookups.delete(name),
  )
  return addresses
}

const lookUpByCallback = callbackify(async (name: string) => lookUp(name))

/** The option `lookup` of a socket. */
export const socketLookup: LookupFunction = (name, { all = false }, callback) => {
  lookUpByCallback(name, (error, addresses) => {
    const first = addresses?.[0]
    if (error !== null) callback(error, '')
    else if (all) callback(null, [...addresses])
    else callback(null, first?.address ?? '', first?.family)
  })
}

/** Milliseconds after which a pending lookup counts as the reason of a timeout. A younger lookup may belong to another request. */
const silentMs = 100

/** Whether a lookup of the name is pending, so that it is the reason why a request got no response. */
export function isLookupPending(name: string): boolean {
  const { until = 0, since = 0 } = lookups.get(name) ?? {}
  return until === Infinity && performance.now() - since > silentMs
}

/** Responses in which a DNS server reports its own fault. A lookup by the system reports them like a missing response. */
const serverFailures: Readonly<Record<string, string>> = { ESERVFAIL: 'SERVFAIL', EREFUSED: 'REFUSED' }
/** Milliseconds. */
const queryTimeoutMs = 1500

/** The fault that a DNS server reports for a name. `undefined` if none responds. Makes one more query, for diagnosis. */
export async function serverFailureOf(name: string): Promise<string | undefined> {
  const resolver = new dns.Resolver({ timeout: queryTimeoutMs, tries: 1 })
  try {
    await resolver.resolve4(name)
    return undefined
  } catch (error) {
    return serverFailures[errorCode(error) ?? '']
  }
}
