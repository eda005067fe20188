import { ADDRCONFIG, lookup as lookupBySystem, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { callbackify } from 'node:util'

type Addresses = readonly LookupAddress[]

interface Waiting {
  readonly answer: Promise<Addresses>
  readonly start: () => void
}

/**
 * Lookups that Node makes at one time: half of its four threads. A name that no DNS server responds to keeps its place for 5 seconds or more, and
 * nothing can end it. Two such names would keep every other lookup of the process waiting.
 */
const places = 2
/** Milliseconds for which a name keeps its last addresses while no place is free. */
const staleMs = 600_000
const maxKnown = 100

/**
 * As in Node's connections: only the address families that this machine has. A DNS server may never respond to a query for the other
 * family.
 */
const hints = process.platform === 'win32' ? 0 : ADDRCONFIG

const running = new Map<string, Promise<Addresses>>()
/** Running lookups that are not urgent. */
const ordinary = new Set<string>()
const waiting = new Map<string, Waiting>()
const known = new Map<string, { readonly addresses: Addresses; readonly at: number }>()
/** Token attempts under way. Until the first one ends, any lookup may delay it. */
let attempts = 0
let hasAttempted = false

/**
 * The addresses of a name, as a connection would get them. Callers at the same time share one lookup.
 *
 * @param isUrgent Whether a token waits for it. While one does, all other names share one place.
 */
export function lookUp(name: string, isUrgent: boolean): Promise<Addresses> {
  const shared = running.get(name)
  if (shared !== undefined) return shared
  if (isUrgent ? running.size < places : hasPlace()) return start(name, isUrgent)
  const last = known.get(name)
  if (last !== undefined && Date.now() - last.at < staleMs) return Promise.resolve(last.addresses)
  return isUrgent ? start(name, isUrgent) : wait(name)
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
  const begun = [...running.keys()]
  const place = begun.indexOf(name)
  if (place >= 0) return place < places ? name : begun[0]
  return waiting.has(name) ? [...ordinary][0] : undefined
}

/** Keeps a place for the lookups of a token attempt. @returns Ends that. */
export function reserveLookup(): () => void {
  attempts++
  return () => {
    attempts--
    hasAttempted = true
    startWaiting()
  }
}

function hasPlace(): boolean {
  return ordinary.size < (attempts > 0 || !hasAttempted ? 1 : places)
}

function start(name: string, isUrgent: boolean): Promise<Addresses> {
  const answer = new Promise<Addresses>((resolve, reject) => {
    lookupBySystem(name, { all: true, hints }, (error, addresses) => {
      running.delete(name)
      ordinary.delete(name)
      if (error === null) remember(name, addresses)
      // A lookup without a response does not invalidate known addresses.
      else if (error.code === 'ENOTFOUND') known.delete(name)
      if (error === null) resolve(addresses)
      else reject(error)
      startWaiting()
    })
  })
  running.set(name, answer)
  if (!isUrgent) ordinary.add(name)
  return answer
}

function wait(name: string): Promise<Addresses> {
  const already = waiting.get(name)
  if (already !== undefined) return already.answer
  let begin = () => {}
  const answer = new Promise<Addresses>((resolve, reject) => {
    begin = () => void lookUp(name, false).then(resolve, reject)
  })
  waiting.set(name, { answer, start: begin })
  return answer
}

function startWaiting(): void {
  for (const [name, { start: begin }] of waiting) {
    if (!hasPlace()) return
    waiting.delete(name)
    begin()
  }
}

function remember(name: string, addresses: Addresses): void {
  known.delete(name)
  known.set(name, { addresses, at: Date.now() })
  const [oldest = ''] = known.keys()
  if (known.size > maxKnown) known.delete(oldest)
}
