import { Cron } from 'croner'

import { parseNcrontab } from '../lib/base/ncrontab.ts'
import { StartError, messageOf } from './start-error.ts'

/** When a timer runs. */
export interface TimerSchedule {
  /** The first occurrence after `from`. */
  next(from: Date): Date | undefined
  /** Calls `tick` at each occurrence until the returned function is called. */
  start(tick: () => void): () => void
}

/**
 * Reads the schedule of a timer.
 *
 * @param timeZone Default is that of the machine.
 * @throws {StartError} `SCHEDULE_INVALID` or `SETTING_INVALID`, naming the function or the setting.
 */
export function readTimerSchedule(name: string, schedule: string, timeZone: string | undefined): TimerSchedule {
  const zone = readTimeZone(timeZone)
  try {
    return createSchedule(schedule, zone)
  } catch (error) {
    throw new StartError(
      'SCHEDULE_INVALID',
      `The schedule of function "${name}", "${schedule}", is not a schedule: ${messageOf(error)}.`,
      { cause: error },
    )
  }
}

/** @throws {RangeError} For an expression that is not NCRONTAB, or that never occurs. */
export function createSchedule(expression: string, timeZone: string): TimerSchedule {
  const pattern = parseNcrontab(expression)
  const options = {
    mode: '6-part',
    ...(timeZone === 'UTC' ? { utcOffset: 0 } : { timezone: timeZone }),
    // NCRONTAB wants both the day of the month and the day of the week to match; other crons want one of them.
    domAndDow: true,
    // The Functions host: a schedule whose time of day is of single values and lists occurs once in a repeated hour.
    fixedTimeRule: /^[^*-]+$/.test(pattern.split(' ', 3).join(' ')) ? 'no-wildcard' : 'single-value',
  } as const
  const cron = new Cron(pattern, options)
  return {
    next: (from) => cron.nextRun(from) ?? undefined,
    start(tick) {
      const job = new Cron(pattern, options, tick)
      return () => job.stop()
    },
  }
}

function readTimeZone(zone = ''): string {
  if (zone === '') return machineTimeZone()
  try {
    return Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch (error) {
    throw new StartError('SETTING_INVALID', `WEBSITE_TIME_ZONE "${zone}" is not a time zone, as in "Europe/Paris".`, {
      cause: error,
    })
  }
}

/** Where TZ is empty or unknown, Node names no zone and counts in UTC. `Intl` costs 8 MB, so a machine that counts in UTC does without it. */
function machineTimeZone(): string {
  const year = new Date().getFullYear()
  const months = Array.from({ length: 12 }, (_, month) => new Date(year, month, 1))
  if (months.every((date) => date.getTimezoneOffset() === 0)) return 'UTC'
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return timeZone === 'Etc/Unknown' ? 'UTC' : timeZone
}
