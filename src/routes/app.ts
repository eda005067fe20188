import type { Settings } from '../lib/settings/settings.ts'
import type { ServiceRef } from './guard-route.ts'
import { diagnosticsRoute } from './diagnostics.ts'
import { healthRoute } from './health.ts'
import { homeRoute } from './home.ts'
import { metadataRoute } from './metadata.ts'
import { metricsRoute } from './metrics.ts'
import { profileRoute } from './profile.ts'
import type { App } from './route.ts'
import { smokeTestTimer } from './smoke-test-timer.ts'

/** What decides which routes there are. */
export type AppSettings = Pick<Settings, 'httpAuthLevel' | 'serveMetadata' | 'smokeTestSchedule'>

/** Everything that this service answers and runs by itself, for any platform. */
export function createApp(
  service: ServiceRef,
  { httpAuthLevel: authLevel, serveMetadata, smokeTestSchedule }: AppSettings,
): App {
  return {
    routes: [
      homeRoute(service, authLevel),
      profileRoute(service, authLevel),
      diagnosticsRoute(service, authLevel),
      healthRoute(service),
      metricsRoute(service, authLevel),
      ...(serveMetadata ? [metadataRoute(service)] : []),
    ],
    timers: [smokeTestTimer(service, smokeTestSchedule)],
  }
}
