import type { Dispatcher } from '../../emulator/dispatcher.ts'
import type { IndexedFunction } from '../../emulator/function-index.ts'
import type { TimerFunction } from '../../emulator/registered-function.ts'
import type { Log } from '../host-log.ts'
import { readTimerSchedule } from './timer-schedule.ts'
import type { TimerSchedule } from './timer-schedule.ts'

export interface Timers {
  /** Starts the schedules. */
  start(): void
  /** Runs a function in the background. A run under way is waited for, and requests meanwhile share the run after it. */
  run(entry: IndexedFunction<TimerFunction>): void
  stop(): void
}

interface Timer {
  readonly entry: IndexedFunction<TimerFunction>
  readonly schedule: TimerSchedule
  isRunning: boolean
  isWanted: boolean
}

/** What a function gets that no schedule monitor watches. */
const payload = JSON.stringify({ Schedule: { AdjustForDST: true }, ScheduleStatus: null, IsPastDue: false })

/** @throws {HostError} For a schedule that is not valid. */
export function createTimers(
  functions: readonly IndexedFunction<TimerFunction>[],
  env: NodeJS.ProcessEnv,
  dispatcher: Dispatcher,
  log: Log,
): Timers {
  const timers = functions.map((entry): Timer => ({
    entry,
    schedule: readTimerSchedule(entry.info, env),
    isRunning: false,
    isWanted: false,
  }))
  const stops: (() => void)[] = []
  const state = { isStopped: false }

  async function runAll(timer: Timer): Promise<void> {
    timer.isRunning = true
    do {
      timer.isWanted = false
      // The dispatcher logs a failure. A failed run does not end the schedule.
      await dispatcher.run(timer.entry, { json: payload }).catch(() => undefined)
    } while (timer.isWanted && !state.isStopped)
    timer.isRunning = false
  }

  function tick(timer: Timer): void {
    if (!timer.isRunning) {
      void runAll(timer)
      return
    }
    const { name } = timer.entry.info
    const message = `Timer function "${name}" is still running: this occurrence is skipped.`
    log({ level: 'warning', category: 'host', message, functionName: name })
  }

  return {
    start() {
      for (const timer of timers) {
        if (timer.entry.info.isDisabled) continue
        stops.push(timer.schedule.start(() => tick(timer)))
      }
    },
    run(entry) {
      const timer = timers.find((candidate) => candidate.entry === entry)
      if (timer === undefined || state.isStopped) return
      if (timer.isRunning) timer.isWanted = true
      else void runAll(timer)
    },
    stop() {
      state.isStopped = true
      for (const stop of stops) stop()
    },
  }
}
