import { logStart } from './functions/log-start.ts'
import { registerApp } from './functions/register-app.ts'
import { createService, type Service } from './lib/service/service.ts'
import { createApp } from './routes/app.ts'

const service = resolve()
registerApp(createApp(service))
logStart(service)

/**
 * Resolves the service. A failure ends the start with its own message, but only after something is registered: an entry that throws
 * before becomes an app without functions, which answers 404 to all.
 */
function resolve(): Service {
  try {
    return createService(process.env)
  } catch (error) {
    const run = () => Promise.reject(error)
    if (error instanceof Error) logStart(error)
    registerApp({ routes: [], timers: [{ name: 'failedStart', schedule: '0 0 0 1 1 *', run }] })
    throw error
  }
}
