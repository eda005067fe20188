import { ADDRCONFIG, lookup, promises as dns, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { callbackify, promisify } from 'node:util'
import { errorCode } from '../base/files.ts'

const lookUpBySystem = promisify(lookup)

/** Milliseconds for which the addresses of a name are reused, so that one probe looks a name up only once. */
const reuseMs = 5000
interface Lookup {
  readonly addresses: Promise<readonly LookupAddress[]>
  readonly since: number
  /** Until when the addresses are reused; infinite while the lookup runs. */
  until: number
}
/** Bounded by the hosts of the profile and of the variables. */
const lookups = new Map<string, Lookup>()

/** Look up only the address families that this machine has, as Node does. A DNS server may never respond to a query for the other family. */
const hints = process.platform === 'win32' ? 0 : ADDRCONFIG

/** Names whose lookup waits for its turn. */
const queued: string[] = []
let turn: Promise<unknown> = Promise.resolve()

/**
 * The addresses of a name, as a connection gets them. Simultaneous callers share one lookup.
 *
 * Node uses at most two of its four threads for lookups. A lookup can't be aborted, and takes 5 seconds or more if no DNS server responds. The
 * probes share one of the two threads, so that a token request never waits for them. A probe that waits long queries the DNS servers itself.
 *
 * @param isUrgent Whether a token request waits for this lookup.
 */
export async function lookUp(name: string, isUrgent: boolean): Promise<readonly LookupAddress[]> {
  const cached = lookups.get(name)
  if (cached !== undefined && cached.until > performance.now()) return cached.addresses
  if (isUrgent) return start(name)
  queued.push(name)
  const own = turn.then(async () => {
    queued.splice(queued.indexOf(name), 1)
    return lookUp(name, true)
  })
  turn = own.catch(() => {})
  return Promise.race([own, queryServers(name, own)])
}

/** Milliseconds that a probe waits for its turn before it queries the DNS servers itself. */
const longestWaitMs = 1000

/**
 * Queries the DNS servers directly if another lookup hangs, because one name without a response must not hide the others. Such a query needs no
 * thread, but ignores the hosts file.
 */
async function queryServers(name: string, own: Promise<readonly LookupAddress[]>): Promise<readonly LookupAddress[]> {
  await sleep(longestWaitMs, undefined, { ref: false })
  if (!queued.includes(name)) return own
  const resolver = new dns.Resolver({ timeout: queryTimeoutMs, tries: 1 })
  const families = [4, 6] as const
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = found.map((each, index) =>
    each.status === 'fulfilled' ? each.value.map((address) => ({ address, family: families[index] ?? 4 })) : [],
  )
  return addresses.find(({ length }) => length > 0) ?? own
}

function start(name: string): Promise<readonly LookupAddress[]> {
  const addresses = lookUpBySystem(name, { all: true, hints })
  const entry = { addresses, since: performance.now(), until: Infinity }
  lookups.set(name, entry)
  addresses.then(
    () => (entry.until = performance.now() + reuseMs),
    () => lookups.delete(name),
  )
  return addresses
}

const lookUpByCallback = callbackify(lookUp)

/** The option `lookup` of a socket. */
export function lookupOf(isUrgent: boolean): LookupFunction {
  return (name, { all = false }, callback) => {
    lookUpByCallback(name, isUrgent, (error, addresses) => {
      const first = addresses?.[0]
      if (error !== null) callback(error, '')
      else if (all) callback(null, [...addresses])
      else callback(null, first?.address ?? '', first?.family)
    })
  }
}

/** Milliseconds after which a pending lookup counts as the reason of a timeout. A younger lookup may belong to another request. */
const silentMs = 100

/** The name whose pending lookup delays a connection to `name`: itself, or another name that it waits for. */
export function pendingLookupOf(name: string): string | undefined {
  const isSilent = ({ until, since }: Lookup) => until === Infinity && performance.now() - since > silentMs
  const silent = [...lookups].filter(([, each]) => isSilent(each)).map(([each]) => each)
  if (silent.includes(name)) return name
  return queued.includes(name) ? silent[0] : undefined
}

/** Responses in which a DNS server reports its own fault. A lookup by the system reports them like a missing response. */
const serverFailures: Readonly<Record<string, string>> = { ESERVFAIL: 'SERVFAIL', EREFUSED: 'REFUSED' }
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
