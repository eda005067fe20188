import { Cron } from 'croner'
import type { TimerFunction } from '../lib/base/app.ts'
import type { Invocations } from './invocations.ts'
import type { WriteLog } from './log.ts'
import { StartError, messageOf } from './start-error.ts'

export type Timer = ReturnType<typeof createTimer>

/** @throws {StartError} for an invalid schedule or time zone. */
export function createTimer(
  { name, schedule, run: work }: TimerFunction,
  timeZone: string | undefined,
  invocations: Invocations,
  log: WriteLog,
) {
  const times = readTimerSchedule(name, schedule, timeZone)
  let isRunning = false
  /** Runs the timer in the background, unless it is running or was stopped. */
  const run = () => {
    if (times.isStopped()) return
    const message = `Timer function "${name}" is still running: this occurrence is skipped.`
    if (isRunning) return log({ level: 'warning', category: 'server', message, name })
    isRunning = true
    const end = () => {
      isRunning = false
    }
    // `invocations` has logged a failure, and the schedule continues.
    invocations.run(name, work).then(end, end)
  }
  return { name, run, start: () => void times.schedule(run), stop: () => times.stop() }
}

/** @param timeZone Default is the machine's. @throws {StartError} `SCHEDULE_INVALID` or `SETTING_INVALID`. */
export function readTimerSchedule(name: string, schedule: string, timeZone: string | undefined): Cron {
  const zone = readTimeZone(timeZone)
  try {
    const times = new Cron(schedule, {
      mode: '6-part',
      // `a/n` is "from a on".
      sloppyRanges: true,
      ...(zone === 'UTC' ? { utcOffset: 0 } : { timezone: zone }),
      // In NCRONTAB, the day of the month and the day of the week must both match. In other crons, one of them is enough.
      domAndDow: true,
      // Like the Functions host: when clocks go back, a schedule with a fixed time of day runs once, not twice.
      fixedTimeRule: /^[^*/-]+$/.test(schedule.trim().split(/\s+/, 3).join()) ? 'no-wildcard' : 'single-value',
    })
    if (times.nextRun() === null) throw new RangeError('it never occurs')
    return times
  } catch (error) {
    const problem = `The schedule "${schedule}" of function "${name}" is invalid: ${messageOf(error)}.`
    throw new StartError('SCHEDULE_INVALID', problem, { cause: error })
  }
}

function readTimeZone(zone = ''): string {
  if (zone === '') return machineTimeZone()
  try {
    return Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch (error) {
    const problem = `WEBSITE_TIME_ZONE is "${zone}". Set it to a time zone such as "Europe/Paris".`
    throw new StartError('SETTING_INVALID', problem, { cause: error })
  }
}

/** Node uses UTC if TZ is empty or unknown. `Intl` takes 8 MB of memory, so it isn't loaded on a machine in UTC. */
function machineTimeZone(): string {
  const year = new Date().getFullYear()
  const months = Array.from({ length: 12 }, (_, month) => new Date(year, month, 1))
  if (months.every((date) => date.getTimezoneOffset() === 0)) return 'UTC'
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return timeZone === 'Etc/Unknown' ? 'UTC' : timeZone
}
