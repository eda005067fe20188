import type { LogEvent, TimerFunction } from '../lib/base/app.ts'
import type { Service } from '../lib/service/service.ts'
import { logTo } from './http-function.ts'

/** The scheduled check of every profile. If a profile fails, it throws after logging, so that the platform records a failed run. */
export function smokeTestFunction(service: Service): TimerFunction & { readonly schedule: string } {
  return {
    name: 'smokeTest',
    schedule: service.settings.smokeTestSchedule,
    async run(invocation) {
      const log = logTo(invocation)
      const { status, durationMs, results } = await service.runSmokeTest(log)
      const events = results.map(({ profile, status: each, checks }): LogEvent => {
        const failed = checks.find((check) => check.status === 'fail')
        const details = failed === undefined ? {} : { code: failed.code ?? 'UNEXPECTED', message: failed.message }
        return {
          level: each === 'fail' ? 'error' : 'info',
          event: 'smoke-test.profile',
          profile,
          status: each,
          ...details,
        }
      })
      // The active profile is checked last. If it is a built-in profile, it already has the same line.
      const last = JSON.stringify(events.at(-1))
      for (const [index, event] of events.entries()) {
        if (index === events.length - 1 || JSON.stringify(event) !== last) log(event)
      }
      log({ level: status === 'fail' ? 'error' : 'info', event: 'smoke-test', status, durationMs })
      if (status === 'fail') {
        const names = results.filter((result) => result.status === 'fail').map(({ profile }) => profile)
        throw new Error(`Smoke test failed for ${names.join(', ')}`)
      }
    },
  }
}
