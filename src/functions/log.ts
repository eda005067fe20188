import type { InvocationContext } from '@azure/functions'
import type { Log } from '../lib/diagnostics/log-event.ts'

/** Writes each event as one JSON line at its own level, so that any log tool can query and alert on it. */
export function logTo(context: InvocationContext): Log {
  return (event) => {
    // Verbose lines were asked for by name, and the host drops the debug level by default.
    if (typeof event === 'string') return context.log(event)
    const { level, ...rest } = event
    const line = JSON.stringify(rest)
    if (level === 'error') return context.error(line)
    return level === 'warning' ? context.warn(line) : context.log(line)
  }
}
