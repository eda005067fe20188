import { hostname } from 'node:os'
import { readVariable, type Env } from '../base/env.ts'
import type { Instance } from './report.ts'

const startedAt = new Date(Date.now() - process.uptime() * 1000).toISOString()

/** Which process this is. The platform's id of an instance is long; its first characters distinguish instances. */
export function readInstance(env: Env): Instance {
  const id = readVariable(env, 'WEBSITE_INSTANCE_ID')?.slice(0, 12)
  return { hostName: hostname(), startedAt, ...(id === undefined ? {} : { id }) }
}
