import { hostname } from 'node:os'
import { readVariable, type Env } from '../base/env.ts'

/** Seconds between two scheduled runs. */
const periodSeconds = 900

/** Every 15 minutes, with the name that the offset is derived from. */
export interface DefaultSchedule {
  /** Six-field NCRONTAB. */
  readonly schedule: string
  readonly derivedFrom: 'WEBSITE_SITE_NAME' | 'the host name'
}

/**
 * The schedule where none is set. Its offset is derived from a name, so that the instances of a fleet do not ask the same login authority
 * in the same second. All workers of one function app have one site name, and so one schedule: the platform runs one timer for all.
 */
export function defaultSchedule(env: Env, host: () => string = hostname): DefaultSchedule {
  const site = readVariable(env, 'WEBSITE_SITE_NAME')
  const offset = hashOf(site ?? host()) % periodSeconds
  const minute = Math.floor(offset / 60)
  const minutes = [0, 15, 30, 45].map((quarter) => quarter + minute)
  return {
    schedule: `${offset % 60} ${minutes.join(',')} * * * *`,
    derivedFrom: site === undefined ? 'the host name' : 'WEBSITE_SITE_NAME',
  }
}

/** 32 bits of a text: FNV-1a with the finalizer of MurmurHash3, because names of a fleet differ in their last characters only. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
