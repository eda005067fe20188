import { transform } from 'esbuild'
import { explainProfile } from '../../src/lib/profile/resolve-cloud-profile.ts'
import { describe, expect, test } from 'vitest'
import { pageScript, pageStyle } from '../../src/page/page-files.ts'
import type { Check } from '../../src/lib/diagnostics/report.ts'
import { renderPage } from '../../src/page/page.ts'
import { samples } from '../support/sample-reports.ts'

const entries = Object.entries(samples)

/** The text of a page without its head, script and tags. */
function textOf(html: string): string {
  const body = html.replace(/^.*?<body/s, '<body').replaceAll('<wbr>', '')
  return body.replace(/<script>.*?<\/script>|<[^>]+>/gs, ' ').replace(/\s+/g, ' ')
}

/** The parts that the text has, each after the one before it. */
function inOrder(text: string, parts: readonly string[]): string[] {
  let from = 0
  return parts.filter((part) => {
    const found = text.indexOf(part, from)
    if (found >= 0) from = found + part.length
    return found >= 0
  })
}

describe('renderPage', () => {
  test.each(entries)(
    'the page of the state %s stays under 40 kB with the style and script as they are deployed',
    async (_, input) => {
      const [style, script] = await Promise.all([
        transform(pageStyle, { loader: 'css', minify: true }),
        transform(pageScript, { loader: 'js', minify: true }),
      ])
      const { html } = renderPage(input)
      const deployed = html.replace(pageStyle, () => style.code).replace(pageScript, () => script.code)
      expect(Buffer.byteLength(deployed)).toBeLessThan(40_000)
    },
  )

  test('says first whether it works, then why not and what to change, then everything else', () => {
    const parts = [
      'CUI',
      'Failed',
      'AUTHORITY_UNTRUSTED',
      'Cause',
      'certificate authority that Node does not trust here',
      'Fix',
      'Set NODE_EXTRA_CA_CERTS',
      'Host',
      'login.microsoftonline.us',
      'Connection path',
      'Checks',
      'History',
      'Profile',
      'Identity and token',
      'Last scheduled run',
      'Runtime',
      'Support report',
      'Diagnostics',
      'CUI',
    ]
    expect(inOrder(textOf(renderPage({ ...samples.failed, banner: 'CUI' }).html), parts)).toEqual(parts)
  })

  test('lists failures first, then warnings, passes and skips, in any order of the report', () => {
    const { report } = samples.warning
    const mixed = [...samples.failed.report.checks, ...report.checks].toReversed()
    const { html } = renderPage({ ...samples.failed, report: { ...samples.failed.report, checks: mixed } })
    expect([...html.matchAll(/<h3>.*?<\/svg>(\w+)/gs)].map(([, title]) => title)).toEqual([
      'Failed',
      'Warnings',
      'Passed',
      'Skipped',
    ])
    const rows = html.slice(html.indexOf('id="troubles"'))
    const parts = ['CHALLENGE_AUDIENCE_MISMATCH', 'CLOCK_SKEW', 'accepts connections on port 443', 'Skipped']
    expect(inOrder(textOf(rows), parts)).toEqual(parts)
  })

  test('a failure says its cause and fix once', () => {
    const text = textOf(renderPage(samples.failed).html.replace(/<textarea.*?<\/textarea>/s, ''))
    expect(text.split('certificate authority that Node does not trust here')).toHaveLength(2)
    expect(text.split('was issued under')).toHaveLength(2)
    expect(text).not.toContain('See the root cause above')
  })

  test('a failed check beside an acquired token is reported as such', () => {
    const { rootCause } = samples.failed.report
    const report = { ...samples.ok.report, status: 'failed' as const, ...(rootCause && { rootCause }) }
    const { html } = renderPage({ ...samples.ok, report })
    const parts = ['Failed', 'gets tokens for US Government cloud, but a check failed', 'Cause', 'Fix', 'Checks']
    expect(inOrder(textOf(html), parts)).toEqual(parts)
    const cached = { ...report, token: { ...report.token, cached: true } }
    const words = 'This workload still has a token for US Government cloud, but a check failed.'
    expect(textOf(renderPage({ ...samples.ok, report: cached }).html)).not.toContain('still has')
    const diagram = report.diagram?.map((node) =>
      node.id === 'authority' ? { ...node, status: 'fail' as const } : node,
    )
    expect(textOf(renderPage({ ...samples.ok, report: { ...cached, diagram: diagram ?? [] } }).html)).toContain(words)
  })

  test('the checks are counted with those that failed', () => {
    const { report } = samples.failed
    const countOf = (status: string) => report.checks.filter((check) => check.status === status).length
    expect(textOf(renderPage(samples.failed).html)).toContain(
      `${countOf('fail')} failed, ${countOf('pass')} passed, ${countOf('skip')} skipped`,
    )
  })

  test('the last scheduled run says what it checked', () => {
    const text = textOf(renderPage(samples.failed).html)
    expect(text).toContain('profiles only, no token')
    const { smokeTest } = samples.failed.report
    const results = smokeTest?.results.map((result) => ({ ...result, hosts: [] })) ?? []
    const report = { ...samples.failed.report, smokeTest: smokeTest && { ...smokeTest, results } }
    expect(textOf(renderPage({ ...samples.failed, report }).html)).toContain('profiles and token')
  })

  test('a sign-in that waits is shown also when a check failed', () => {
    const { report } = samples.pending
    const { checks, rootCause } = samples.failed.report
    const failed = { ...report, status: 'failed' as const, checks, ...(rootCause && { rootCause }) }
    const { html } = renderPage({ ...samples.pending, report: failed })
    const parts = ['Failed', 'AUTHORITY_UNTRUSTED', 'HJ7K-2QXP', 'Checks']
    expect(inOrder(textOf(html), parts)).toEqual(parts)
    expect(html).toContain('data-every="5"')
  })

  test('a code that has run out says so', () => {
    const { html } = renderPage({ ...samples.pending, now: new Date('2026-11-21T03:00:00Z') })
    expect(textOf(html)).toContain('The code expired')
    expect(html).not.toContain('role="timer"')
  })

  test('a placeholder profile names each field to replace and its variable', () => {
    const text = textOf(renderPage(samples.placeholder).html)
    const parts = [
      'Cause',
      'Fix',
      'Connection path',
      'Fields to replace',
      'PLATFORM_AUTHORITY_HOST',
      'PLATFORM_ACR_DNS_SUFFIX',
      'Checks',
    ]
    expect(inOrder(text, parts)).toEqual(parts)
    // The audiences derive from the endpoint and the suffixes.
    expect(text.split('</textarea>')[0]).not.toMatch(/PLATFORM_\w*AUDIENCE|profile file only/)
    expect(text).not.toContain('PLACEHOLDER_FIELD')
  })

  test('a field set by a variable names it, the value it replaced and where that came from', () => {
    const { profile } = samples.ok
    const overridden = {
      value: 'https://new.example/',
      by: 'variable' as const,
      from: 'PLATFORM_AUTHORITY_HOST',
      overridden: [{ value: 'https://old.example/', by: 'profile' as const, from: 'built-in platform-us-government' }],
    }
    const fields = { ...profile.fields, authorityHost: overridden }
    const parts = [
      '2 fields set by a variable',
      'https://new.example/',
      'PLATFORM_AUTHORITY_HOST',
      'overrides',
      'https://old.example/',
      'built-in platform-us-government',
    ]
    expect(inOrder(textOf(renderPage({ ...samples.ok, profile: { ...profile, fields } }).html), parts)).toEqual(parts)
  })

  test('only a field that a variable sets counts as set by a variable, and a derived one names its variable', () => {
    const env = {
      PLATFORM_CLOUD: 'platform-commercial',
      PLATFORM_RESOURCE_MANAGER_ENDPOINT: 'https://management.usgovcloudapi.net/',
    }
    const html = renderPage({ ...samples.ok, profile: explainProfile({ env }) }).html
    expect(textOf(html)).toContain('1 field set by a variable')
    expect(html).not.toMatch(/<code[^>]*>(derived|dropped)/)
    expect(textOf(html)).toContain('derived from PLATFORM_RESOURCE_MANAGER_ENDPOINT')
  })

  test('a warning has its cause and fix, once for all fields it was found in', () => {
    const warnings = ['portalURL', 'tenantID'].map((name) => ({
      code: 'UNKNOWN_FIELD' as const,
      message: `Unknown ${name}`,
      cause: 'It has a field',
      fix: 'Correct it',
    }))
    const { html } = renderPage({ ...samples.ok, warnings })
    const text = textOf(html.replace(/<textarea.*?<\/textarea>/s, ''))
    const parts = ['UNKNOWN_FIELD', 'Unknown portalURL', 'Unknown tenantID', 'Cause', 'Fix']
    expect(inOrder(text, parts)).toEqual(parts)
    expect(text.split('UNKNOWN_FIELD')).toHaveLength(2)
  })

  test('a token that a check found wrong is not shown as a good one', () => {
    const { report } = samples.ok
    const check = { id: 'token.audience', status: 'fail', message: 'for another', durationMs: 0 } as const
    const text = (checks: readonly Check[]) =>
      textOf(renderPage({ ...samples.ok, report: { ...report, checks: [...report.checks, ...checks] } }).html)
    expect(text([check])).toMatch(/Token not valid Auth mode/)
    expect(text([check])).toContain('The token that this workload gets for US Government cloud is not valid.')
    expect(text([])).toMatch(/Token expires in /)
  })

  test.each([
    { cloud: { selectedBy: 'default' }, parts: ['the default: no variable selects a profile'] },
    { cloud: { selectedBy: 'CUSTOM_CLOUD_PROFILE_PATH' }, parts: ['selected by CUSTOM_CLOUD_PROFILE_PATH'] },
    { authModeFrom: 'AUTH_MODE', parts: ['Auth mode clientSecret from AUTH_MODE'] },
    { authModeFrom: 'IDENTITY_ENDPOINT', parts: ['Auth mode clientSecret detected from IDENTITY_ENDPOINT'] },
    { authModeFrom: 'default', parts: ['Auth mode clientSecret AUTH_MODE is not set'] },
    { audienceFrom: 'profile', parts: ['Origin of the audience the profile'] },
    { audienceFrom: 'discovered', parts: ['Origin of the audience the metadata of the cloud'] },
    { audienceFrom: 'derived from PLATFORM_X', parts: ['Origin of the audience derived from PLATFORM_X'] },
  ] as const)('each decision shows its reason: $parts', ({ parts, ...decision }) => {
    const { report, profile } = samples.ok
    const cloud = { ...report.cloud, ...('cloud' in decision ? decision.cloud : {}) }
    const { selectedBy } = cloud
    const input = { ...samples.ok, profile: { ...profile, selectedBy }, report: { ...report, ...decision, cloud } }
    expect(inOrder(textOf(renderPage(input).html), parts)).toEqual(parts)
  })

  test('the last timer run names each profile and what failed', () => {
    const parts = [
      'Last scheduled run',
      'failed',
      '10 min ago',
      'platform-commercial',
      'passed',
      'failed',
      'AUTHORITY_UNTRUSTED',
    ]
    const { html } = renderPage(samples.failed)
    expect(inOrder(textOf(html.slice(html.indexOf('class="schedule"'))), parts)).toEqual(parts)
  })

  test('says which process answers: version, host name, instance and since when', () => {
    const instance = { hostName: 'worker-7', process: '1018', startedAt: '2026-11-19T08:00:12.000Z', id: 'a1b2c3' }
    const { html } = renderPage({ ...samples.ok, report: { ...samples.ok.report, version: '1.2.3', instance } })
    const parts = [
      'Cloud profile service 1.2.3',
      'worker-7',
      'instance',
      'a1b2c3',
      'process 1018',
      'since',
      '2026-11-19 08:00:12 UTC',
    ]
    expect(inOrder(textOf(html), parts)).toEqual(parts)
  })

  test('commands that a person has to run are a block of lines with a copy button', () => {
    const commands = [
      'az cloud register --name enclave --endpoint-resource-manager https://m.example',
      'az login --tenant x',
    ]
    const message = 'The command-line tool does not know this cloud. Run these commands once'
    const warnings = [{ code: 'CLI_CLOUD_NOT_REGISTERED' as const, message, commands }]
    const { html } = renderPage({ ...samples.warning, warnings })
    const [, id, block] = /<pre id="([^"]+)"[^>]*>(.*?)<\/pre>/s.exec(html) ?? []
    expect(block).toBe(commands.join('\n'))
    expect(html).toContain(`<p>${message}:</p>`)
    expect(html).toContain(`data-copy="${id}"`)
  })

  test.each([
    [{ variable: 'PLATFORM_TENANT_ID', value: "it's" }, `export PLATFORM_TENANT_ID='it'\\''s'`],
    [{ field: 'serviceAudiences.arm', file: '/etc/a.json', value: 'x' }, '/etc/a.json: "arm": "x"'],
    [{ variable: 'PLATFORM_CLIENT_SECRET' }, undefined],
  ])('a change is one line to copy if it has a value: %j', (change, line) => {
    const { report } = samples.failed
    const { rootCause } = report
    if (rootCause === undefined) throw new Error('The sample has no root cause')
    const { html } = renderPage({ ...samples.failed, report: { ...report, rootCause: { ...rootCause, change } } })
    const shown = /<pre id="change"[^>]*>(.*?)<\/pre>/s.exec(html)?.[1]
    expect(shown?.replaceAll('&quot;', '"').replaceAll('&#39;', "'")).toBe(line)
  })

  test('evidence that message, cause or fix have is not repeated', () => {
    const { report } = samples.failed
    const { rootCause } = report
    if (rootCause === undefined) throw new Error('The sample has no root cause')
    const evidence = { issuer: 'Enclave Root CA 2', sha256: 'AB:CD:EF' }
    const { html } = renderPage({ ...samples.failed, report: { ...report, rootCause: { ...rootCause, evidence } } })
    const text = textOf(html.replace(/<textarea.*?<\/textarea>/s, ''))
    expect([text.split('Enclave Root CA 2').length, text.split('AB:CD:EF').length]).toEqual([2, 2])
  })
})

test.each([
  ['UNCLASSIFIED', 'unclassified'],
  ['CUI//SP-PRVCY', 'cui'],
  ['SECRET//NOFORN', 'secret'],
  ['TOP SECRET', 'top-secret'],
  ['TOP SECRET//SCI', 'sci'],
  ['NOT SECRET', ''],
])('the marking %s stands above and below the page in the color of "%s"', (banner, level) => {
  const classes = [...renderPage({ ...samples.ok, banner }).html.matchAll(/<aside class="([^"]*)"/g)]
  expect(classes.map(([, names]) => names)).toEqual([`banner top ${level}`, `banner bottom ${level}`])
})

test.each(['  ', undefined])('a marking of %j shows no banner', (banner) => {
  expect(renderPage({ ...samples.ok, banner }).html).not.toContain('<aside')
})
