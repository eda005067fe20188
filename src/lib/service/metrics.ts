import { hostname } from 'node:os'
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import { hashText } from '../base/names.ts'
import type { ExplainedProfile } from '../profile/explained-profile.ts'
import type { Settings } from '../settings/settings.ts'
import { VERSION } from '../settings/version.ts'
import type { CachedState } from './service.ts'
import { metricRows, type MetricSource } from './metric-rows.ts'

export interface RenderedMetrics {
  readonly body: string
  readonly contentType: string
}

/** The formats of a scrape: Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/), and OpenMetrics. */
export type MetricsFormat = 'text' | 'openmetrics'

/** Gauges of the library with the name of a counter, which linters refuse. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

/** Metrics of the Node process, collected once for each format. */
const processFigures: Readonly<Record<MetricsFormat, Registry>> = {
  text: processRegistry(Registry.PROMETHEUS_CONTENT_TYPE),
  openmetrics: processRegistry(Registry.OPENMETRICS_CONTENT_TYPE),
}

/** At most 4,096 values bound the number of series; a container keeps its value after a restart. */
const processLabel = String(hashText(`${hostname()} ${process.pid}`) % 4096)

/** The cached results as metrics. Starts no diagnostics run. Labels show only values of the report. */
export async function renderMetrics(
  cloud: ExplainedProfile,
  settings: Settings,
  cached: CachedState,
  format: MetricsFormat = 'text',
): Promise<RenderedMetrics> {
  const own = registryOf(processFigures[format].contentType)
  const source: MetricSource = { cloud, settings, cached, version: VERSION }
  for (const { name, help, type, values } of metricRows) {
    const samples = values(source)
    const labelNames = [...new Set(samples.flatMap(({ labels = {} }) => Object.keys(labels)))]
    const Metric = type === 'counter' ? Counter : Gauge
    const metric = new Metric({ name, help, labelNames, registers: [own] })
    for (const { labels = {}, value } of samples) metric.inc(labels, value)
    if (samples.length === 0) own.removeSingleMetric(name)
  }
  const merged = Registry.merge([own, processFigures[format]])
  merged.setContentType(own.contentType)
  // Two processes behind one address have different figures, so a common series would jump at each scrape.
  merged.setDefaultLabels({ process: processLabel })
  return { body: await merged.metrics(), contentType: merged.contentType }
}

function registryOf(contentType: string): Registry {
  const registry = new Registry()
  registry.setContentType(contentType as typeof Registry.PROMETHEUS_CONTENT_TYPE)
  return registry
}

function processRegistry(contentType: string): Registry {
  const registry = registryOf(contentType)
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed) registry.removeSingleMetric(name)
  return registry
}
