import { Cron } from 'croner'

import { HostError, messageOf } from '../errors.ts'
import type { TimerFunction } from '../app/registered-function.ts'
import { normaliseNcrontab } from './ncrontab.ts'

/** When a timer runs. */
export interface TimerSchedule {
  /** The first occurrence after `from`. */
  next(from: Date): Date | undefined
  /** Calls `tick` at each occurrence until the returned function is called. */
  start(tick: () => void): () => void
}

/**
 * Reads the schedule of a timer function; `%NAME%` stands for a setting. Times are those of WEBSITE_TIME_ZONE, else of the
 * machine, as in the real host.
 *
 * @throws {HostError} `SCHEDULE_INVALID`, `SETTING_MISSING` or `SETTING_INVALID`, naming the function and the setting.
 */
export function readTimerSchedule(info: TimerFunction, env: NodeJS.ProcessEnv): TimerSchedule {
  const { text, origin } = resolveSettings(info, env)
  try {
    return createSchedule(text, readTimeZone(env))
  } catch (error) {
    if (error instanceof HostError) throw error
    throw new HostError('SCHEDULE_INVALID', `${origin} "${text}" is not a schedule: ${messageOf(error)}.`, {
      cause: error,
    })
  }
}

/** @throws {RangeError} For an expression that is not NCRONTAB, or that never occurs. */
export function createSchedule(expression: string, timeZone: string): TimerSchedule {
  const pattern = normaliseNcrontab(expression)
  const options = {
    mode: '6-part',
    timezone: timeZone,
    // NCRONTAB wants both the day of the month and the day of the week to match; other crons want one of them.
    domAndDow: true,
    // The real host: a schedule whose time of day is of single values and lists occurs once in a repeated hour.
    fixedTimeRule: /^[^*-]+$/.test(pattern.split(' ', 3).join(' ')) ? 'no-wildcard' : 'single-value',
  } as const
  const cron = new Cron(pattern, options)
  if (cron.nextRun() === null) throw new RangeError('it never occurs')
  return {
    next: (from) => cron.nextRun(from) ?? undefined,
    start(tick) {
      const job = new Cron(pattern, options, tick)
      return () => job.stop()
    },
  }
}

function resolveSettings(info: TimerFunction, env: NodeJS.ProcessEnv): { text: string; origin: string } {
  let origin = `The schedule of function "${info.name}",`
  const text = info.schedule.replace(/%([^%]*)%/g, (_, name: string) => {
    const value = env[name] ?? ''
    if (value === '') {
      throw new HostError('SETTING_MISSING', `Setting ${name}, the schedule of function "${info.name}", is not set.`)
    }
    origin = `${name}, the schedule of function "${info.name}",`
    return value
  })
  return { text, origin }
}

function readTimeZone(env: NodeJS.ProcessEnv): string {
  const zone = env['WEBSITE_TIME_ZONE'] ?? ''
  if (zone === '') return Intl.DateTimeFormat().resolvedOptions().timeZone
  try {
    return Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch (error) {
    throw new HostError('SETTING_INVALID', `WEBSITE_TIME_ZONE "${zone}" is not a time zone, as in "Europe/Paris".`, {
      cause: error,
    })
  }
}
