import { readVariable, type Env } from '../base/env.ts'
import { hashText } from '../base/hash-text.ts'

/** Seconds between two scheduled runs. */
const periodSeconds = 900

/** Every 15 minutes, with the name that the offset is derived from. */
export interface DefaultSchedule {
  /** Six-field NCRONTAB. */
  readonly schedule: string
  readonly derivedFrom: 'WEBSITE_SITE_NAME' | 'the host name'
}

/**
 * The schedule if none is set. Its offset is derived from a name, so that the instances of a fleet do not ask the same login authority in
 * the same second. All workers of one function app have one site name, and so one schedule: the platform runs one timer for all.
 */
export function defaultSchedule(env: Env, host: () => string = () => hostName(env)): DefaultSchedule {
  const site = readVariable(env, 'WEBSITE_SITE_NAME')
  const offset = hashText(site ?? host()) % periodSeconds
  const minute = Math.floor(offset / 60)
  const minutes = [0, 15, 30, 45].map((quarter) => quarter + minute)
  return {
    schedule: `${offset % 60} ${minutes.join(',')} * * * *`,
    derivedFrom: site === undefined ? 'the host name' : 'WEBSITE_SITE_NAME',
  }
}

/** Loaded only where no site is named: no cold start of a function app waits for it. Node before 22.3 has the name in a variable at most. */
function hostName(env: Env): string {
  const load = (process as Partial<typeof process>).getBuiltinModule
  return load?.('node:os').hostname() ?? readVariable(env, 'HOSTNAME') ?? readVariable(env, 'COMPUTERNAME') ?? ''
}
