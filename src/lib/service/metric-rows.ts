import { isFipsMode } from '../settings/node-requirements.ts'
import type { DiagnosticsReport, MatrixRow } from '../diagnostics/report.ts'
import type { ExplainedProfile } from '../profile/explained-profile.ts'
import type { Settings } from '../settings/settings.ts'
import type { CachedState } from './service.ts'

export interface MetricSource {
  readonly cloud: ExplainedProfile
  readonly settings: Settings
  readonly cached: CachedState
  readonly version: string
}

interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** One metric. Names and units follow https://prometheus.io/docs/practices/naming/ and, for probes, blackbox_exporter. */
export interface MetricRow {
  readonly name: string
  readonly help: string
  readonly type: 'gauge' | 'counter'
  readonly values: (source: MetricSource) => readonly Sample[]
}

const statuses = ['ok', 'warning', 'failed', 'pending'] as const
const secondsOf = (iso: string | undefined): number | undefined => {
  const time = Date.parse(iso ?? '')
  return Number.isNaN(time) ? undefined : time / 1000
}
const one = (value: number | undefined): readonly Sample[] => (value === undefined ? [] : [{ value }])
const flag = (value: boolean): number => (value ? 1 : 0)

/** Samples of the cached report. Empty before the first run. */
const ofReport =
  (values: (report: DiagnosticsReport) => readonly Sample[]) =>
  ({ cached: { report } }: MetricSource): readonly Sample[] =>
    report === undefined ? [] : values(report)

/** Every layer of every endpoint that was probed. */
const ofLayers = (
  value: (cell: NonNullable<MatrixRow['layers']['dns']>, report: DiagnosticsReport) => number | undefined,
) =>
  ofReport((report) =>
    (report.hosts ?? []).flatMap(({ id, host, layers }) =>
      Object.entries(layers).flatMap(([layer, cell]) => {
        const found = cell.status === 'skip' ? undefined : value(cell, report)
        return found === undefined ? [] : [{ labels: { target: id, host, layer }, value: found }]
      }),
    ),
  )

/** Every metric of this service: one row each. */
export const metricRows: readonly MetricRow[] = [
  {
    name: 'cloud_profile_build_info',
    help: 'The build that runs; always 1.',
    type: 'gauge',
    values: ({ version }) => [
      { labels: { version, node: process.versions.node, fips: isFipsMode() ? 'on' : 'off' }, value: 1 },
    ],
  },
  {
    name: 'cloud_profile_info',
    help: 'The resolved profile; always 1.',
    type: 'gauge',
    values: ({ cloud: { profile }, settings: { authMode } }) => [
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
  },
  {
    name: 'cloud_profile_status',
    help: 'The verdict of the last diagnostics run: 1 for the status that applies.',
    type: 'gauge',
    values: ofReport(({ status }) =>
      statuses.map((each) => ({ labels: { status: each }, value: flag(each === status) })),
    ),
  },
  {
    name: 'cloud_profile_failure_info',
    help: 'The root cause of a failed diagnostics run; always 1.',
    type: 'gauge',
    values: ofReport(({ rootCause }) =>
      rootCause === undefined ? [] : [{ labels: { code: rootCause.code }, value: 1 }],
    ),
  },
  {
    name: 'cloud_profile_last_run_timestamp_seconds',
    help: 'When the last diagnostics run began.',
    type: 'gauge',
    // Present at any age, because an alert checks its age.
    values: ({ cached: { lastRunAt } }) => one(secondsOf(lastRunAt)),
  },
  {
    name: 'cloud_profile_token_success',
    help: 'Whether the last token attempt got a token.',
    type: 'gauge',
    values: ofReport(({ token }) => (token.status === 'pending' ? [] : [{ value: flag(token.status === 'acquired') }])),
  },
  {
    name: 'cloud_profile_token_duration_seconds',
    help: 'How long the last token attempt took.',
    type: 'gauge',
    values: ofReport(({ token }) => [{ value: token.durationMs / 1000 }]),
  },
  {
    name: 'cloud_profile_token_expiry_timestamp_seconds',
    help: 'When the current token expires.',
    type: 'gauge',
    values: ofReport(({ token }) => one(secondsOf(token.expiresOn))),
  },
  {
    name: 'cloud_profile_token_attempts_total',
    help: 'Token attempts of this process by result: acquired, or the code of the failure.',
    type: 'counter',
    values: ({ cached: { attempts } }) => [...attempts].map(([result, value]) => ({ labels: { result }, value })),
  },
  {
    name: 'cloud_profile_probe_success',
    help: 'Whether an endpoint passed a layer in the last diagnostics run. A skipped layer is absent.',
    type: 'gauge',
    values: ofLayers(({ status }) => flag(status !== 'fail')),
  },
  {
    name: 'cloud_profile_probe_duration_seconds',
    help: 'How long an endpoint took in a layer in the last diagnostics run.',
    type: 'gauge',
    values: ofLayers(({ check }, { checks }) => {
      const found = checks.find(({ id }) => id === check)
      return found && found.durationMs / 1000
    }),
  },
  {
    name: 'cloud_profile_ssl_cert_not_after_timestamp_seconds',
    help: 'When the certificate of an endpoint expires.',
    type: 'gauge',
    values: ofReport(({ hosts = [] }) =>
      hosts.flatMap(({ id, host, certificate }) => {
        const end = secondsOf(certificate?.validTo)
        return end === undefined ? [] : [{ labels: { target: id, host }, value: end }]
      }),
    ),
  },
  {
    name: 'cloud_profile_credential_not_after_timestamp_seconds',
    help: 'When the client certificate of this service expires.',
    type: 'gauge',
    values: ofReport(({ credentialExpiresOn }) => one(secondsOf(credentialExpiresOn))),
  },
  {
    name: 'cloud_profile_clock_skew_seconds',
    help: 'Seconds that the local clock is ahead of the login authority; negative if it is behind.',
    type: 'gauge',
    values: ofReport(({ clockSkewSeconds }) => one(clockSkewSeconds)),
  },
  {
    name: 'cloud_profile_scheduled_run_timestamp_seconds',
    help: 'When the last scheduled check began.',
    type: 'gauge',
    values: ({ cached: { smokeTest } }) => one(secondsOf(smokeTest?.startedAt)),
  },
  {
    name: 'cloud_profile_scheduled_run_duration_seconds',
    help: 'How long the last scheduled check took.',
    type: 'gauge',
    values: ({ cached: { smokeTest } }) => one(smokeTest && smokeTest.durationMs / 1000),
  },
  {
    name: 'cloud_profile_scheduled_run_success',
    help: 'Whether a profile passed the last scheduled check; a warning passes.',
    type: 'gauge',
    values: ({ cached: { smokeTest } }) => {
      // The active profile may also be a built-in, so it has two results. The worse result counts.
      const results = new Map<string, boolean>()
      for (const { profile, status } of smokeTest?.results ?? []) {
        results.set(profile, (results.get(profile) ?? true) && status !== 'fail')
      }
      return [...results].map(([profile, passed]) => ({ labels: { profile }, value: flag(passed) }))
    },
  },
]
