import { transform } from 'esbuild'
import { explainProfile } from '../../src/lib/profile/resolve-cloud-profile.ts'
import { describe, expect, test } from 'vitest'
import { pageScript, pageStyle } from '../../src/page/page-files.ts'
import type { DiagnosticsReport } from '../../src/lib/diagnostics/report.ts'
import { renderPage, type PageInput } from '../../src/page/page.ts'
import { samples, withHostileProfile } from '../support/sample-reports.ts'
import { supportText } from '../../src/page/details.ts'

/** The text of a page without its head, script and tags. */
function textOf(html: string): string {
  const body = html.replace(/^.*?<body/s, '<body').replaceAll('<wbr>', '')
  return body.replace(/<script>.*?<\/script>|<[^>]+>/gs, ' ').replace(/\s+/g, ' ')
}

/** A text with all parts, which `|` separates, each after the part before it. */
const inOrder = (parts: string) => new RegExp(parts.replace(/[.*+?^${}()[\]\\]/g, '\\$&').replaceAll('|', '.*'))

type State = keyof typeof samples

/** The page of a sample with some parts of its report replaced. */
const render = (state: State, report: Partial<DiagnosticsReport> = {}, input: Partial<PageInput> = {}) =>
  renderPage({ ...samples[state], ...input, report: { ...samples[state].report, ...report } }).html
const withoutSupportText = (html: string) => textOf(html.replace(/<textarea.*?<\/textarea>/s, ''))
const { rootCause } = samples.failed.report as { readonly rootCause: NonNullable<DiagnosticsReport['rootCause']> }
const failed = { status: 'failed', rootCause } as const

describe('renderPage', () => {
  test.each(Object.keys(samples) as State[])('the deployed page of the state %s stays under 40 kB', async (state) => {
    const style = await transform(pageStyle, { loader: 'css', minify: true })
    const script = await transform(pageScript, { loader: 'js', minify: true })
    const sources = render(state).replace(pageStyle, '').replace(pageScript, '')
    expect(Buffer.byteLength(sources + style.code + script.code)).toBeLessThan(40_000)
  })

  test('says first whether it works, then why not and what to change, then everything else', () => {
    const parts =
      'CUI|Failed|AUTHORITY_UNTRUSTED|Cause|certificate authority that Node does not trust here|Fix|Set NODE_EXTRA_CA_CERTS|Connection path|login.microsoftonline.us|Checks|Profile|Identity and token|Last scheduled run|Runtime|Support report|Diagnostics|CUI'
    expect(textOf(render('failed', {}, { banner: 'CUI' }))).toMatch(inOrder(parts))
  })

  test('lists failures first, then warnings, passes and skips, in any order of the report, and counts them', () => {
    const checks = [...samples.failed.report.checks, ...samples.warning.report.checks].toReversed()
    const html = render('failed', { checks })
    const titles = [...html.matchAll(/<h3>.*?<\/svg>([\w ]+?) </gs)].map(([, title]) => title)
    expect(titles).toEqual(['Also failed', 'Warning', 'Passed', 'Skipped'])
    const rows = textOf(html.slice(html.indexOf('id="troubles"')))
    expect(rows).toMatch(inOrder('CHALLENGE_AUDIENCE_MISMATCH|CLOCK_SKEW|accepts connections on port 443|Skipped'))
    const { report } = samples.failed
    const [pass, skip] = ['pass', 'skip'].map((status) => report.checks.filter((each) => each.status === status).length)
    expect(textOf(render('failed'))).toContain(` ${pass} passed, ${skip} skipped`)
  })

  test('a failure says its cause, its fix and its evidence once', () => {
    const evidence = { issuer: '"Enclave Root CA 2"', sha256: 'AB:CD:EF' }
    const text = withoutSupportText(render('failed', { rootCause: { ...rootCause, evidence } }))
    for (const once of [rootCause.cause, 'was issued under', 'AB:CD:EF']) expect(text.split(once)).toHaveLength(2)
    // The message and the fix contain the issuer, so it isn't listed.
    expect(text.split('Enclave Root CA 2')).toHaveLength(3)
    expect(text).not.toContain('See the root cause above')
  })

  test('a failure that the root cause does not explain is titled in words, as a warning is', () => {
    const { checks } = samples.failed.report
    const html = render('failed', { rootCause: { ...rootCause, checks: [] } })
    const { id } = checks.find(({ status, code }) => status === 'fail' && code === 'AUTHORITY_UNTRUSTED') ?? { id: '' }
    const parts = `Untrusted certificate of the login authority|${id}|AUTHORITY_UNTRUSTED`
    expect(textOf(html.slice(html.indexOf('id="troubles"')))).toMatch(inOrder(parts))
  })

  test('a failed check beside an acquired token is reported as such', () => {
    const parts = 'Failed|gets tokens for US Government cloud, but a check failed|Cause|Fix|Checks'
    expect(textOf(render('ok', failed))).toMatch(inOrder(parts))
    const { token, diagram } = samples.ok.report
    const cached = { ...failed, token: { ...token, cached: true } }
    expect(textOf(render('ok', cached))).not.toContain('still has')
    const red = diagram.map((node) => (node.id === 'authority' ? { ...node, status: 'fail' as const } : node))
    const words = 'This workload still has a token for US Government cloud, but a check failed.'
    expect(textOf(render('ok', { ...cached, diagram: red }))).toContain(words)
  })

  test('the last scheduled run says what it checked, and names each profile and what failed', () => {
    const html = render('failed')
    const run = 'Last scheduled run|failed|10 min ago|profiles only, no token|platform-commercial|passed|failed'
    expect(textOf(html.slice(html.indexOf('class="schedule"')))).toMatch(inOrder(`${run}|AUTHORITY_UNTRUSTED`))
    const { smokeTest } = samples.failed.report
    const results = smokeTest?.results.map((result) => ({ ...result, hosts: [] })) ?? []
    const withToken = render('failed', { smokeTest: smokeTest && { ...smokeTest, results } })
    expect(textOf(withToken)).toContain('profiles and token')
  })

  test('a sign-in that waits is shown also when a check failed, and a code that has expired says so', () => {
    const html = render('pending', { ...failed, checks: samples.failed.report.checks })
    expect(textOf(html)).toMatch(inOrder('Failed|AUTHORITY_UNTRUSTED|HJ7K-2QXP|Checks'))
    expect(html).toContain('data-every="5"')
    const late = render('pending', {}, { now: new Date('2026-11-21T03:00:00Z') })
    expect(textOf(late)).toContain('The code expired')
    expect(late).not.toContain('role="timer"')
  })

  test('a placeholder profile names each field to replace and its variable', () => {
    const text = textOf(render('placeholder'))
    const fields = 'Fields to replace|PLATFORM_AUTHORITY_HOST|PLATFORM_ACR_DNS_SUFFIX'
    expect(text).toMatch(inOrder(`Cause|Fix|Connection path|${fields}|Profile`))
    // The audiences derive from the endpoint and the suffixes.
    expect(text.split('</textarea>')[0]).not.toMatch(/PLATFORM_\w*AUDIENCE|profile file only/)
    expect(text).not.toContain('PLACEHOLDER_FIELD')
  })

  test('a field set by a variable names it and the value it replaced, and a derived field does not count', () => {
    const variable = 'PLATFORM_RESOURCE_MANAGER_ENDPOINT'
    const env = { PLATFORM_CLOUD: 'platform-commercial', [variable]: 'https://management.usgovcloudapi.net/' }
    const html = render('ok', {}, { profile: explainProfile({ env }) })
    const replaced = 'overrides|https://management.azure.com/|built-in platform-commercial'
    const parts = `1 field set by a variable|${env[variable]}|${variable}|${replaced}|derived from ${variable}`
    expect(textOf(html)).toMatch(inOrder(parts))
    expect(html).not.toMatch(/<code[^>]*>(derived|dropped)/)
  })

  test('a warning has its cause and fix, once for all fields it was found in', () => {
    const foreign = (name: string) => ({ code: 'FOREIGN_VALUE', message: `Foreign ${name}` }) as const
    const warnings = ['portalURL', 'tenantID'].map(foreign)
    const text = withoutSupportText(render('ok', { warnings }))
    expect(text).toMatch(inOrder('Foreign portalURL|Foreign tenantID|FOREIGN_VALUE|Cause|Fix|Codes|FOREIGN_VALUE'))
    expect(text.split('FOREIGN_VALUE')).toHaveLength(3)
  })

  test('each code links to its title on the page', () => {
    for (const state of ['failed', 'warning', 'placeholder'] as const) {
      const html = render(state)
      const targets = [...html.matchAll(/<a class="tag" href="#(\w+)"/g)].map(([, code]) => code)
      expect(targets).not.toEqual([])
      expect(targets.filter((code) => !html.includes(`<code id="${code}">`))).toEqual([])
    }
  })

  test('a page of placeholders has no matrix, as no such host exists', () => {
    expect(render('placeholder')).not.toMatch(/<table>|#checks/)
  })

  test('a fingerprint has a button that copies it', () => {
    const sha256 = Array(32).fill('AB').join(':')
    for (const cause of [{ evidence: { sha256 } }, { fix: `Compare the SHA-256 of this CA (${sha256})` }]) {
      const html = render('failed', { rootCause: { ...rootCause, ...cause } }).replace(/<textarea.*?<\/textarea>/s, '')
      expect(html).toMatch(/<pre id="fingerprint"[^>]*>(?:AB:?){32}<\/pre>\s*<button [^>]*data-copy="fingerprint">/)
      expect(html.split(sha256)).toHaveLength(2)
    }
  })

  test('a token that a check found wrong is not shown as a good one', () => {
    const token = { ...samples.ok.report.token, problem: 'TOKEN_AUDIENCE_MISMATCH' } as const
    const text = textOf(render('ok', { token }))
    expect(text).toMatch(/Token not valid Auth mode/)
    expect(text).toContain('The token that this workload gets for US Government cloud is not valid.')
    expect(textOf(render('ok'))).toMatch(/Token expires in /)
  })

  test.each([
    [{ selectedBy: 'default' }, 'the default: no variable selects a profile'],
    [{ selectedBy: 'CUSTOM_CLOUD_PROFILE_PATH' }, 'selected by CUSTOM_CLOUD_PROFILE_PATH'],
    [{ authModeFrom: 'AUTH_MODE' }, 'Auth mode clientSecret from AUTH_MODE'],
    [{ authModeFrom: 'IDENTITY_ENDPOINT' }, 'Auth mode clientSecret detected from IDENTITY_ENDPOINT'],
    [{ authModeFrom: 'default' }, 'Auth mode clientSecret AUTH_MODE is not set'],
    [{ audienceFrom: 'profile' }, 'Origin of the audience the profile'],
    [{ audienceFrom: 'discovered' }, 'Origin of the audience the metadata of the cloud'],
    [{ audienceFrom: 'derived from PLATFORM_X' }, 'Origin of the audience derived from PLATFORM_X'],
  ] as const)('each decision shows its reason: %j', (decision, words) => {
    const { report, profile } = samples.ok
    const { selectedBy = report.cloud.selectedBy, ...rest } = { ...decision } as Partial<DiagnosticsReport['cloud']>
    const cloud = { ...report.cloud, selectedBy }
    expect(textOf(render('ok', { ...rest, cloud }, { profile: { ...profile, selectedBy } }))).toContain(words)
  })

  test('says which process responds: version, host name, instance and since when', () => {
    const instance = { hostName: 'worker-7', process: '1018', startedAt: '2026-11-19T08:00:12.000Z', id: 'a1b2c3' }
    expect(textOf(render('ok', { version: '1.2.3', instance }))).toMatch(
      inOrder('Cloud profile service 1.2.3|worker-7|instance|a1b2c3|process 1018|since|2026-11-19 08:00:12 UTC'),
    )
  })

  test('commands that a person has to run are a block of lines with a copy button', () => {
    const commands = ['az cloud register --name enclave', 'az login --tenant x']
    const message = 'The command-line tool does not know this cloud. Run these commands once'
    const html = render('warning', { warnings: [{ code: 'CLI_CLOUD_NOT_REGISTERED', message, commands }] })
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
    const html = render('failed', { rootCause: { ...rootCause, change } })
    const shown = /<pre id="change"[^>]*>(.*?)<\/pre>/s.exec(html)?.[1]
    expect(shown?.replaceAll('&quot;', '"').replaceAll('&#39;', "'")).toBe(line)
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

test.each([
  [{ selectedBy: 'default', authModeFrom: 'default' }, true],
  [{ selectedBy: 'default', authModeFrom: 'AUTH_MODE' }, false],
  [{ selectedBy: 'PLATFORM_CLOUD', authModeFrom: 'default' }, false],
] as const)('%j: the page begins with the lines to run first: %s', ({ selectedBy, authModeFrom }, isFirst) => {
  const { cloud } = samples.failed.report
  const text = render('failed', { authModeFrom, cloud: { ...cloud, selectedBy } })
  const [lines, verdict] = [text.indexOf('export PLATFORM_CLOUD='), text.indexOf('id="verdict"')]
  expect(lines > 0 && lines < verdict).toBe(isFirst)
})

test('the support report says verdict, cause, fix, who answers, checks, profile and runtime, a line each', () => {
  const { report, profile } = samples.failed
  const lines = supportText(report, profile).split('\n')
  for (const line of [
    'verdict: Failed',
    'code: AUTHORITY_UNTRUSTED',
    `cause: ${report.rootCause?.cause}`,
    `fix: ${report.rootCause?.fix}`,
    'hosts: login.microsoftonline.us',
    'issuer: "Enclave Root CA 2"',
    'version: 2.0.0',
    'host: enclave-worker-7',
    'checked: 2026-11-21 02:10:00 UTC',
    'profile: platform-us-government (built-in platform-us-government)',
    'auth mode: clientSecret, ClientSecretCredential',
    'token: failed, AUTHORITY_UNTRUSTED, 127 ms',
    'passed: 19 checks',
    'fail resource-manager.challenge: What resource-manager.challenge says [CHALLENGE_AUDIENCE_MISMATCH] (0 ms)',
    'authorityHost: https://login.microsoftonline.us/',
    'tenantId: 7d1c8f6e-2f0a-4b54-9a7e-0c5f2f8f9b10 (PLATFORM_TENANT_ID)',
    'last scheduled run: fail, profiles only, 2026-11-21 02:00:00 UTC',
    'proxy: no',
  ]) {
    expect(lines).toContain(line)
  }
})

test('the support report says each thing once', () => {
  for (const { report, profile } of Object.values(samples)) {
    const lines = supportText(report, profile).split('\n')
    expect(new Set(lines).size).toBe(lines.length)
    const { message, cause, fix } = report.rootCause ?? {}
    const told = [message, cause, fix].filter((text) => text !== undefined)
    expect(told.map((text) => lines.filter((line) => line.includes(text)).length)).toEqual(told.map(() => 1))
  }
})

test('no value can forge a line of the support report', () => {
  const { report, profile } = withHostileProfile((path) => `${path}\nstate: OK\r\nstate: OK`, 'failed')
  const lines = supportText(report, profile).split('\n')
  expect(lines.filter((line) => line.startsWith('verdict: '))).toEqual(['verdict: Failed'])
})
