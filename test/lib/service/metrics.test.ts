import { describe, expect, test } from 'vitest'
import { renderMetrics } from '../../../src/lib/service/metrics.ts'
import { createService, type Service } from '../../../src/lib/service/service.ts'
import { promtool, withoutPromtool } from '../../support/promtool.ts'
import { useEnclave } from '../../support/use-enclave.ts'

const running = useEnclave()
const silent = () => {}

const open = (variables: NodeJS.ProcessEnv = {}) =>
  createService({ ...running.cloud.environment('clientSecret', running.files), ...variables })

async function scrape(service: Service): Promise<string> {
  const { body } = await renderMetrics({ ...service, ...(await service.cachedState(silent)) })
  return body.replaceAll(/,process="\d{1,4}"|process="\d{1,4}",?/g, '').replaceAll('{}', '')
}

/** The value of a metric by its name and labels as they are written. */
const valueOf = (text: string, name: string) => {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  return line?.slice(name.length + 1)
}

async function afterARun(service: Service): Promise<string> {
  await (await service.diagnostics(silent)).report()
  return scrape(service)
}

describe('The metrics of a service', () => {
  test('a healthy cloud: token, layers, certificate and clock', async () => {
    const text = await afterARun(open())
    const { host } = new URL(running.cloud.authorityHost)
    expect(text).toMatch(/^cloud_profile_status\{status="(ok|warning)"\} 1$/m)
    expect(valueOf(text, 'cloud_profile_token_success')).toBe('1')
    expect(Number(valueOf(text, 'cloud_profile_token_expiry_timestamp_seconds'))).toBeGreaterThan(Date.now() / 1000)
    expect(valueOf(text, 'cloud_profile_token_attempts_total{result="acquired"}')).toBe('1')
    for (const layer of ['dns', 'tcp', 'tls', 'response', 'token']) {
      expect(valueOf(text, `cloud_profile_probe_success{target="authority",host="${host}",layer="${layer}"}`)).toBe('1')
    }
    const end = valueOf(text, `cloud_profile_ssl_cert_not_after_timestamp_seconds{target="authority",host="${host}"}`)
    expect(Number(end)).toBeGreaterThan(Date.now() / 1000)
    expect(Math.abs(Number(valueOf(text, 'cloud_profile_clock_skew_seconds')))).toBeLessThan(60)
    expect(text).toMatch(/^cloud_profile_build_info\{version="2\.0\.0",node="[\d.]+",fips="(on|off)"\} 1$/m)
    expect(text).toContain('process_resident_memory_bytes')
    expect(text).not.toMatch(/tenant|secret_|\/tmp\//i)
  })

  test('an outage: no token, the code of the cause, the layer that fails', async () => {
    await running.cloud.setFault({ kind: 'refused' }, 'login')
    const text = await afterARun(open())
    expect(valueOf(text, 'cloud_profile_status{status="failed"}')).toBe('1')
    expect(valueOf(text, 'cloud_profile_token_success')).toBe('0')
    expect(valueOf(text, 'cloud_profile_failure_info{code="AUTHORITY_REFUSED"}')).toBe('1')
    expect(text).toMatch(/cloud_profile_probe_success\{target="authority",host="[^"]+",layer="tcp"\} 0/)
    expect(valueOf(text, 'cloud_profile_token_attempts_total{result="AUTHORITY_REFUSED"}')).toBe('1')
  })

  test('a failure that the event of the token does not show is one line of the log until it changes', async () => {
    const lines: unknown[] = []
    await running.cloud.setFault({ kind: 'wrong-audience' }, 'login/token')
    const diagnostics = await open().diagnostics((line) => lines.push(line))
    await diagnostics.report()
    await diagnostics.report()
    const failures = lines.filter((line) => (line as { event?: string }).event === 'diagnostics')
    expect(failures).toMatchObject([{ level: 'error', status: 'failed', code: 'TOKEN_AUDIENCE_MISMATCH' }])
  })

  test('the end of the client certificate', async () => {
    const service = createService(running.cloud.environment('clientCertificate', running.files))
    const report = await (await service.diagnostics(silent)).report()
    const end = Date.parse(report.credentialExpiresOn ?? '') / 1000
    expect(end).toBeGreaterThan(Date.now() / 1000)
    expect(valueOf(await scrape(service), 'cloud_profile_credential_not_after_timestamp_seconds')).toBe(String(end))
  })

  test('a scheduled run is told, each profile once', async () => {
    const service = open()
    await service.runSmokeTest(silent)
    const text = await scrape(service)
    expect(valueOf(text, 'cloud_profile_scheduled_run_success{profile="platform-commercial"}')).toBe('1')
    expect(Number(valueOf(text, 'cloud_profile_scheduled_run_timestamp_seconds'))).toBeGreaterThan(1e9)
  })

  test('a silent cloud does not hold up a scrape, and a hundred scrapes cost one diagnostics run', async () => {
    await running.cloud.setFault({ kind: 'silent' }, 'login')
    const service = open({ PLATFORM_TOKEN_TIMEOUT_MS: '4000' })
    const scrapes = await Promise.all(Array.from({ length: 100 }, () => scrape(service)))
    // Each was answered while the run still waited for the cloud.
    expect(scrapes.filter((text) => text.includes('cloud_profile_status{'))).toEqual([])
    const asked = running.cloud.requests.filter(({ path }) => path.includes('openid-configuration'))
    expect(asked.length).toBeLessThanOrEqual(2)
    await (await service.diagnostics(silent)).report()
  })

  test.skipIf(withoutPromtool !== '')(`promtool finds nothing wrong with them${withoutPromtool}`, async () => {
    await running.cloud.setFault({ kind: 'clock-skew', seconds: 900 })
    const service = open()
    await service.runSmokeTest(silent)
    expect(promtool(['check', 'metrics'], await afterARun(service))).toBe('')
  })

  test('each series has the label of its process, of at most 4,096 values', async () => {
    const service = open()
    const { instance } = await (await service.diagnostics(silent)).report()
    expect(instance.process).toBe(String(process.pid))
    const { body } = await renderMetrics({ ...service, ...(await service.cachedState(silent)) })
    const samples = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    expect(samples.length).toBeGreaterThan(40)
    expect(samples.filter((line) => !/[{,]process="\d{1,4}"[,}]/.test(line))).toEqual([])
  })
})
