import type { InvocationContext } from '@azure/functions'
import type { Log } from '../lib/diagnostics/log-event.ts'
import { escapeHidden } from '../lib/base/printable.ts'
import { VERSION } from '../lib/settings/version.ts'

/**
 * Writes each event as one JSON object on a line, at its own level, so that any log tool can query and alert on it. A log that cannot
 * be written to never stops what was to be logged.
 */
export function logTo(context: InvocationContext): Log {
  return (event) => {
    const { level, ...rest } =
      typeof event === 'string' ? { level: 'verbose' as const, event: 'library', message: event } : event
    const line = escapeHidden(JSON.stringify({ time: new Date().toISOString(), level, version: VERSION, ...rest }))
    try {
      if (level === 'error') context.error(line)
      else if (level === 'warning') context.warn(line)
      // Verbose lines were asked for by name, and the host drops the debug level by default.
      else context.log(line)
    } catch {
      // There is nowhere left to report to.
    }
  }
}
