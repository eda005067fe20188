import { hostname } from 'node:os'
import { readVariable, type Env } from '../base/env.ts'
import { hashText } from '../base/names.ts'
import type { Instance } from './report.ts'

const startedAt = new Date(Date.now() - process.uptime() * 1000).toISOString()

/**
 * Distinguishes this process from the others behind one address, in 4,096 values at most, so that the series of a metric stay bounded. A
 * container that restarts keeps its value.
 */
export const processLabel = String(hashText(`${hostname()} ${process.pid}`) % 4096)

/** Which process this is. The platform's id of an instance is long; its first characters distinguish instances. */
export function readInstance(env: Env): Instance {
  const id = readVariable(env, 'WEBSITE_INSTANCE_ID')?.slice(0, 12)
  return { hostName: hostname(), process: processLabel, startedAt, ...(id === undefined ? {} : { id }) }
}
