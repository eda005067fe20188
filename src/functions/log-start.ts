import type { LogEvent } from '../lib/diagnostics/log-event.ts'
import { isServiceError } from '../lib/errors.ts'
import { describeSource } from '../lib/profile/explained-profile.ts'
import type { Service } from '../lib/service/service.ts'
import { logTo } from '../routes/log.ts'

/**
 * Logs how a cold start ended. No invocation exists yet, so the line goes to stdout, which the Functions host logs; from stderr it would
 * be logged as an error. A start that succeeded is logged after the entry has been loaded: Node's stream of stdout alone takes
 * milliseconds, which would be a third of a cold start.
 */
export function logStart(outcome: Service | Error): void {
  const log = logTo({ log: (_level, line) => process.stdout.write(`${line}\n`) })
  if (outcome instanceof Error) log(describeFailure(outcome))
  else setImmediate(() => void describe(outcome).then(log))
}

async function describe({ cloud: { profile, source, selectedBy }, settings, warnings }: Service): Promise<LogEvent> {
  const found = await warnings().catch(() => undefined)
  return {
    ...(found === undefined ? { level: 'error', message: 'A part of this build cannot be loaded' } : { level: 'info' }),
    event: 'start',
    profile: profile.name,
    source: describeSource(source),
    selectedBy,
    authMode: settings.authMode,
    authModeFrom: settings.authModeFrom,
    ...(found === undefined ? {} : { warnings: found.map(({ code }) => code) }),
  }
}

function describeFailure(error: Error): LogEvent {
  const { code, message } = isServiceError(error) ? error : { code: 'UNEXPECTED', message: error.name }
  return { level: 'error', event: 'start', code, message }
}
