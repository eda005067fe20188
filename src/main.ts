import { registerApp } from './functions/register-app.ts'
import { createService, type Service } from './lib/service/service.ts'
import { readAuthLevel, readSchedule, readServeMetadata } from './lib/settings/settings.ts'
import { createApp } from './routes/app.ts'

// An entry that throws before it registered anything becomes an app without functions, which answers 404 to all. So
// everything is registered first, with defaults for invalid settings; then the service is resolved, and an invalid
// setting or profile fails the start with its own message.
const orDefault = <T>(read: () => T, fallback: T): T => {
  try {
    return read()
  } catch {
    return fallback
  }
}

const resolved: { service?: Service } = {}
const app = createApp(
  () => {
    if (resolved.service === undefined) throw new Error('The service is not resolved yet')
    return resolved.service
  },
  {
    httpAuthLevel: orDefault(() => readAuthLevel(process.env), 'function'),
    serveMetadata: orDefault(() => readServeMetadata(process.env), false),
    smokeTestSchedule: orDefault(() => readSchedule(process.env), '0 0 0 1 1 *'),
  },
)
registerApp(app)

resolved.service = createService(process.env)
