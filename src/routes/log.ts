import type { Log } from '../lib/diagnostics/log-event.ts'
import { escapeHidden } from '../lib/base/printable.ts'
import { VERSION } from '../lib/settings/version.ts'
import type { CallContext } from './route.ts'

/**
 * Writes each event as one JSON object on a line, at its own level, so that any log tool can query and alert on it. A failed write never
 * interrupts the logged work.
 */
export function logTo(context: Pick<CallContext, 'log'>): Log {
  return (event) => {
    const { level, ...rest } =
      typeof event === 'string' ? { level: 'verbose' as const, event: 'library', message: event } : event
    const line = escapeHidden(JSON.stringify({ time: new Date().toISOString(), level, version: VERSION, ...rest }))
    try {
      // Verbose lines exist only if PLATFORM_LOG_LEVEL asks for them, and the Functions host drops its debug level by default.
      context.log(level === 'verbose' ? 'info' : level, line)
    } catch {
      // There is nowhere left to report to.
    }
  }
}
