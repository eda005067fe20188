import { registerDiagnostics } from './routes/diagnostics.ts'
import { registerHealth } from './routes/health.ts'
import { registerHome } from './routes/home.ts'
import { registerMetadata } from './routes/metadata.ts'
import { registerMetrics } from './routes/metrics.ts'
import { registerProfile } from './routes/profile.ts'
import { registerSmokeTest } from './routes/smoke-test-timer.ts'
import { createService, type Service } from './lib/service/service.ts'
import { readAuthLevel, readSchedule, readServeMetadata } from './lib/settings/settings.ts'

// An entry that throws before it registered anything becomes an app without functions, which answers 404 to all. So
// everything is registered first, with defaults where a setting is wrong; then the service is resolved, and what is
// wrong fails the start with its own message.
const orDefault = <T>(read: () => T, fallback: T): T => {
  try {
    return read()
  } catch {
    return fallback
  }
}
const authLevel = orDefault(() => readAuthLevel(process.env), 'function')
const schedule = orDefault(() => readSchedule(process.env), '0 0 0 1 1 *')

const resolved: { service?: Service } = {}
const service = (): Service => {
  if (resolved.service === undefined) throw new Error('The service is not resolved yet')
  return resolved.service
}

registerHome(service, authLevel)
registerProfile(service, authLevel)
registerDiagnostics(service, authLevel)
registerHealth(service)
registerMetrics(service, authLevel)
// Where nobody asked for it there is no such route.
if (orDefault(() => readServeMetadata(process.env), false)) registerMetadata(service)
registerSmokeTest(service, schedule)

resolved.service = createService(process.env)
