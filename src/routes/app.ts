import type { Service } from '../lib/service/service.ts'
import { diagnosticsRoute } from './diagnostics.ts'
import { healthRoute } from './health.ts'
import { homeRoute } from './home.ts'
import { instanceDiscoveryRoute } from './instance-discovery.ts'
import { metadataRoute } from './metadata.ts'
import { metricsRoute } from './metrics.ts'
import { profileRoute } from './profile.ts'
import type { App } from './route.ts'
import { smokeTestTimer } from './smoke-test-timer.ts'

/** Everything that this service answers and runs by itself, for any platform. */
export function createApp(service: Service): App {
  let isDraining = false
  return {
    routes: [
      homeRoute(service),
      profileRoute(service),
      diagnosticsRoute(service),
      healthRoute(service, () => isDraining),
      metricsRoute(service),
      ...(service.settings.serveMetadata ? [metadataRoute(service), instanceDiscoveryRoute(service)] : []),
    ],
    timers: [smokeTestTimer(service)],
    drain: () => (isDraining = true),
  }
}
