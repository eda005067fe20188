import { hostname } from 'node:os'
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import { hashText } from '../base/names.ts'
import { isFipsMode } from '../settings/node-requirements.ts'
import type { DiagnosticsReport, MatrixRow } from '../diagnostics/report.ts'
import type { ExplainedProfile } from '../profile/explained-profile.ts'
import type { Settings } from '../settings/settings.ts'
import { VERSION } from '../settings/version.ts'
import type { CachedState } from './service.ts'

export interface MetricSource extends CachedState {
  readonly cloud: ExplainedProfile
  readonly settings: Settings
}

/** A sample without a value is absent. */
type Value = number | boolean | undefined
interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: Value
}

type Values = (source: MetricSource) => Value | readonly Sample[]

const statuses = ['ok', 'warning', 'failed', 'pending'] as const
const secondsOf = (iso: string | undefined): number | undefined => {
  const time = Date.parse(iso ?? '')
  return Number.isNaN(time) ? undefined : time / 1000
}

/** Every layer of every endpoint that was probed. */
const ofLayers =
  (valueOf: (cell: NonNullable<MatrixRow['layers']['dns']>, report: DiagnosticsReport) => Value): Values =>
  ({ report }) =>
    report?.hosts.flatMap(({ id, host, layers }) =>
      Object.entries(layers).map(([layer, cell]) => {
        const value = cell.status === 'skip' ? undefined : valueOf(cell, report)
        return { labels: { target: id, host, layer }, value }
      }),
    )

/**
 * Every metric of this service by its name: its help, and its values. Values of the report are absent before the first run. Names and units
 * follow https://prometheus.io/docs/practices/naming/ and, for probes, blackbox_exporter. A name that ends with `_total` is a counter.
 */
export const metrics: Readonly<Record<string, readonly [help: string, values: Values]>> = {
  cloud_profile_build_info: [
    'The build that runs; always 1.',
    () => [{ labels: { version: VERSION, node: process.versions.node, fips: isFipsMode() ? 'on' : 'off' }, value: 1 }],
  ],
  cloud_profile_info: [
    'The resolved profile; always 1.',
    ({ cloud: { profile }, settings: { authMode } }) => [
      {
        labels: {
          profile: profile.name,
          environment: profile.environment,
          auth_mode: authMode,
          authority_host: new URL(profile.authorityHost).host,
          resource_manager_host: new URL(profile.resourceManagerEndpoint).host,
        },
        value: 1,
      },
    ],
  ],
  cloud_profile_status: [
    'The verdict of the last diagnostics run: 1 for the status that applies.',
    ({ report }) => report && statuses.map((status) => ({ labels: { status }, value: status === report.status })),
  ],
  cloud_profile_failure_info: [
    'The root cause of a failed diagnostics run; always 1.',
    ({ report }) => (report?.rootCause === undefined ? [] : [{ labels: { code: report.rootCause.code }, value: 1 }]),
  ],
  // Present at any age, because an alert checks its age.
  cloud_profile_last_run_timestamp_seconds: [
    'When the last diagnostics run began.',
    ({ lastRunAt }) => secondsOf(lastRunAt),
  ],
  cloud_profile_token_success: [
    'Whether the last token attempt got a token.',
    ({ report }) => (report?.token.status === 'pending' ? undefined : report && report.token.status === 'acquired'),
  ],
  cloud_profile_token_duration_seconds: [
    'How long the last token attempt took.',
    ({ report }) => report && report.token.durationMs / 1000,
  ],
  cloud_profile_token_expiry_timestamp_seconds: [
    'When the current token expires.',
    ({ report }) => secondsOf(report?.token.expiresOn),
  ],
  cloud_profile_token_attempts_total: [
    'Token attempts of this process by result: acquired, or the code of the failure.',
    ({ attempts }) => [...attempts].map(([result, value]) => ({ labels: { result }, value })),
  ],
  cloud_profile_probe_success: [
    'Whether an endpoint passed a layer in the last diagnostics run. A skipped layer is absent.',
    ofLayers(({ status }) => status !== 'fail'),
  ],
  cloud_profile_probe_duration_seconds: [
    'How long an endpoint took in a layer in the last diagnostics run.',
    ofLayers(({ check }, { checks }) => {
      const found = checks.find(({ id }) => id === check)
      return found && found.durationMs / 1000
    }),
  ],
  cloud_profile_ssl_cert_not_after_timestamp_seconds: [
    'When the certificate of an endpoint expires.',
    ({ report }) =>
      report?.hosts.map(({ id, host, certificate }) => {
        return { labels: { target: id, host }, value: secondsOf(certificate?.validTo) }
      }),
  ],
  cloud_profile_credential_not_after_timestamp_seconds: [
    'When the client certificate of this service expires.',
    ({ report }) => secondsOf(report?.credentialExpiresOn),
  ],
  cloud_profile_clock_skew_seconds: [
    'Seconds that the local clock is ahead of the login authority; negative if it is behind.',
    ({ report }) => report?.clockSkewSeconds,
  ],
  cloud_profile_scheduled_run_timestamp_seconds: [
    'When the last scheduled check began.',
    ({ smokeTest }) => secondsOf(smokeTest?.startedAt),
  ],
  cloud_profile_scheduled_run_duration_seconds: [
    'How long the last scheduled check took.',
    ({ smokeTest }) => smokeTest && smokeTest.durationMs / 1000,
  ],
  cloud_profile_scheduled_run_success: [
    'Whether a profile passed the last scheduled check; a warning passes.',
    ({ smokeTest }) => {
      // The active profile may also be a built-in, so it has two results. The worse result counts.
      const results = new Map<string, boolean>()
      for (const { profile, status } of smokeTest?.results ?? []) {
        results.set(profile, (results.get(profile) ?? true) && status !== 'fail')
      }
      return [...results].map(([profile, value]) => ({ labels: { profile }, value }))
    },
  ],
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
export async function renderMetrics(source: MetricSource, format: MetricsFormat = 'text') {
  const own = registryOf(processFigures[format].contentType)
  for (const [name, [help, values]] of Object.entries(metrics)) {
    const found = values(source)
    const all: readonly Sample[] = typeof found === 'object' ? found : [{ labels: {}, value: found }]
    const samples = all.filter(({ value }) => value !== undefined)
    if (samples.length === 0) continue
    const labelNames = Object.keys(samples[0]?.labels ?? {})
    const Metric = name.endsWith('_total') ? Counter : Gauge
    const metric = new Metric({ name, help, labelNames, registers: [own] })
    for (const { labels, value } of samples) metric.inc(labels, Number(value))
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
