import type { TimerFunction } from '../lib/base/app.ts'
import type { Invocations } from './invocations.ts'
import type { Log } from './log.ts'
import { readTimerSchedule } from './timer-schedule.ts'
import type { TimerSchedule } from './timer-schedule.ts'

export interface Timers {
  /** Starts the schedules. */
  start(): void
  /** Runs a timer in the background. A run under way is waited for, and requests meanwhile share the run after it. */
  run(name: string): void
  stop(): void
}

interface Timer extends TimerFunction {
  readonly times: TimerSchedule | undefined
  isRunning: boolean
  isWanted: boolean
}

export interface TimerParts {
  readonly timeZone: string | undefined
  readonly invocations: Invocations
  readonly log: Log
}

/** @throws {StartError} For a schedule that is not valid. */
export function createTimers(appTimers: readonly TimerFunction[], { timeZone, invocations, log }: TimerParts): Timers {
  const timers = appTimers.map((timer): Timer => {
    const { name, schedule } = timer
    const times = schedule === undefined ? undefined : readTimerSchedule(name, schedule, timeZone)
    return { ...timer, times, isRunning: false, isWanted: false }
  })
  const stops: (() => void)[] = []
  const state = { isStopped: false }

  async function runAll(timer: Timer): Promise<void> {
    timer.isRunning = true
    do {
      timer.isWanted = false
      // A failure is in the log. It does not end the schedule.
      await invocations.run(timer.name, timer.run).catch(() => undefined)
    } while (timer.isWanted && !state.isStopped)
    timer.isRunning = false
  }

  function tick(timer: Timer): void {
    if (!timer.isRunning) {
      void runAll(timer)
      return
    }
    const { name } = timer
    const message = `Timer function "${name}" is still running: this occurrence is skipped.`
    log({ level: 'warning', category: 'server', message, name })
  }

  return {
    start() {
      for (const timer of timers) {
        if (timer.times !== undefined) stops.push(timer.times.start(() => tick(timer)))
      }
    },
    run(name) {
      const timer = timers.find((candidate) => candidate.name === name)
      if (timer?.isRunning === true) timer.isWanted = true
      else if (timer !== undefined && !state.isStopped) void runAll(timer)
    },
    stop() {
      state.isStopped = true
      for (const stop of stops) stop()
    },
  }
}
