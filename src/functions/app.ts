import type { App } from '../lib/base/app.ts'
import type { Service } from '../lib/service/service.ts'
import { diagnosticsFunction } from './diagnostics.ts'
import { healthFunction } from './health.ts'
import { homeFunction } from './home.ts'
import type { DescribedFunction } from './http-function.ts'
import { metricsFunction } from './metrics.ts'
import { profileFunction } from './profile.ts'
import { smokeTestFunction } from './smoke-test.ts'

// This folder has one file for each function, with its OpenAPI description. It uses src/lib and src/page, and knows no platform.

interface DescribedApp extends App {
  readonly functions: readonly DescribedFunction[]
  readonly timers: readonly ReturnType<typeof smokeTestFunction>[]
}

export function createApp(service: Service): DescribedApp {
  let isDraining = false
  return {
    functions: [
      homeFunction(service),
      profileFunction(service),
      diagnosticsFunction(service),
      healthFunction(service, () => isDraining),
      metricsFunction(service),
    ],
    timers: [smokeTestFunction(service)],
    drain: () => (isDraining = true),
  }
}
