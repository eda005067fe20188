import { ADDRCONFIG, lookup, promises as dns, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { callbackify, promisify } from 'node:util'
import { errorCode } from '../base/files.ts'

const lookUpBySystem = promisify(lookup)

/**
 * Of Node's four threads two make lookups, and nothing can end one: a name that no DNS server responds to takes 5 seconds or more. While a
 * token is acquired, one of the two is for its lookups.
 */
const threads = 2
let attempts = 0

/** Keeps a thread free for the lookups of a token attempt. @returns Ends that. */
export function reserveLookup(): () => void {
  attempts++
  return () => {
    attempts--
    startNext()
  }
}

/** Milliseconds for which the addresses of a name are reused, so that the layers of one probe wait once. */
const reuseMs = 5000
const known = new Map<string, { readonly addresses: readonly LookupAddress[]; readonly until: number }>()
const maxKnown = 100

/**
 * As in Node's connections: only the address families that this machine has. A DNS server may never respond to a query for the other
 * family.
 */
const hints = process.platform === 'win32' ? 0 : ADDRCONFIG

const running = new Map<string, Promise<readonly LookupAddress[]>>()
const waiting: { readonly name: string; readonly start: () => void }[] = []
let ordinary = 0

/**
 * The addresses of a name, as a connection would get them. Callers at the same time share one lookup.
 *
 * @param isUrgent Whether a token waits for it. Others wait for a free thread.
 */
export async function lookUp(name: string, isUrgent: boolean): Promise<readonly LookupAddress[]> {
  const recent = known.get(name)
  if (recent !== undefined && recent.until > performance.now()) return recent.addresses
  if (isUrgent || running.has(name)) return running.get(name) ?? start(name)
  if (hasPlace()) ordinary++
  else await new Promise<void>((resolve) => waiting.push({ name, start: resolve }))
  try {
    return await (running.get(name) ?? start(name))
  } finally {
    ordinary--
    startNext()
  }
}

const hasPlace = (): boolean => ordinary < (attempts > 0 ? threads - 1 : threads)

function startNext(): void {
  const next = hasPlace() ? waiting.shift() : undefined
  if (next === undefined) return
  ordinary++
  next.start()
}

function start(name: string): Promise<readonly LookupAddress[]> {
  const answer = lookUpBySystem(name, { all: true, hints })
    .then((addresses) => {
      if (known.size >= maxKnown) known.clear()
      known.set(name, { addresses, until: performance.now() + reuseMs })
      return addresses
    })
    .finally(() => running.delete(name))
  running.set(name, answer)
  return answer
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

/** Why a connection to a name has not begun: its lookup has no answer, or waits for that of another name. */
export function unansweredLookup(name: string): string | undefined {
  if (running.has(name)) return name
  return waiting.some((each) => each.name === name) ? running.keys().next().value : undefined
}

/** The answers of DNS servers that mean a fault of theirs, which the system reports as if none had responded. */
const serverFailures: Readonly<Record<string, string>> = { ESERVFAIL: 'SERVFAIL', EREFUSED: 'REFUSED' }
const queryTimeoutMs = 1500

/** How the DNS servers fail to answer for a name; `undefined` if they do not respond either. One query more, for a diagnosis. */
export async function serverFailureOf(name: string): Promise<string | undefined> {
  const resolver = new dns.Resolver({ timeout: queryTimeoutMs, tries: 1 })
  try {
    await resolver.resolve4(name)
    return undefined
  } catch (error) {
    return serverFailures[errorCode(error) ?? '']
  }
}
