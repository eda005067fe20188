import type { ServiceRef } from './answer.ts'
import { logTo } from './log.ts'
import { registerTimer } from '../functions/register.ts'

/**
 * The scheduled check of every profile. It throws after logging
 * when a profile fails, so that the host records a failed run.
 */
export function registerSmokeTest(service: ServiceRef, schedule: string): void {
  registerTimer('smokeTest', schedule, async (_timer, context) => {
    const log = logTo(context)
    const { status, durationMs, results } = await service().runSmokeTest(log)
    for (const { profile, status: each, checks } of results) {
      const failed = checks.find((check) => check.status === 'fail')
      const details = failed === undefined ? {} : { code: failed.code ?? 'UNEXPECTED', message: failed.message }
      log({
        level: each === 'fail' ? 'error' : 'info',
        event: 'smoke-test.profile',
        profile,
        status: each,
        ...details,
      })
    }
    log({ level: status === 'fail' ? 'error' : 'info', event: 'smoke-test', status, durationMs })
    if (status === 'fail') {
      const names = results.filter((result) => result.status === 'fail').map(({ profile }) => profile)
      throw new Error(`Smoke test failed for ${names.join(', ')}`)
    }
  })
}
