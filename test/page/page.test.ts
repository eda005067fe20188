import { describe, expect, test } from 'vitest'
import { renderPage } from '../../src/page/page.ts'
import { samples, withHostileProfile } from '../browser/sample-reports.ts'

const entries = Object.entries(samples)

/** The text of a page without its head, script and tags. */
function textOf(html: string): string {
  const body = html.replace(/^.*?<body/s, '<body').replaceAll('<wbr />', '')
  return body.replace(/<script>.*?<\/script>|<[^>]+>/gs, ' ').replace(/\s+/g, ' ')
}

/** Those of the parts that the text has, each after the one before it. */
function inOrder(text: string, parts: readonly string[]): string[] {
  let from = 0
  return parts.filter((part) => {
    const found = text.indexOf(part, from)
    if (found >= 0) from = found + part.length
    return found >= 0
  })
}

describe('renderPage', () => {
  test.each(entries)('the page of the state %s stays under 60 kB', (_, input) => {
    expect(Buffer.byteLength(renderPage(input).html)).toBeLessThan(60_000)
  })

  test('says first whether it works, then why not and what to change, then everything else', () => {
    const parts = [
      'CUI',
      'Does not work',
      'AUTHORITY_UNTRUSTED',
      'Cause',
      'private certificate authority',
      'Fix',
      'NODE_EXTRA_CA_CERTS=/etc/ssl/enclave-root.pem',
      'Checks',
      'Profile',
      'Identity and token',
      'Last scheduled check',
      'Runtime',
      'Diagnostics',
      'Support report',
      'CUI',
    ]
    expect(inOrder(textOf(renderPage({ ...samples.failed, banner: { text: 'CUI' } }).html), parts)).toEqual(parts)
  })

  test('lists failures first, then warnings, passes and skips, whatever their order in the report', () => {
    const { report } = samples.warning
    const mixed = [...samples.failed.report.checks, ...report.checks].toReversed()
    const { html } = renderPage({ ...samples.failed, report: { ...samples.failed.report, checks: mixed } })
    expect([...html.matchAll(/<h3>.*?<\/svg>(\w+)/gs)].map(([, title]) => title)).toEqual([
      'Failed',
      'Warnings',
      'Passed',
      'Skipped',
    ])
    const parts = ['96 ms', 'CHALLENGE_AUDIENCE_MISMATCH', 'CLOCK_SKEW', 'Port 443 answers', 'There is no token']
    expect(inOrder(textOf(html), parts)).toEqual(parts)
  })

  test('a failure says its cause and fix once', () => {
    const text = textOf(renderPage(samples.failed).html.replace(/<textarea.*?<\/textarea>/s, ''))
    expect(text.split('private certificate authority')).toHaveLength(2)
    expect(text).toContain('Cause and fix stand at the top of this page.')
  })

  test('a failed check beside an acquired token is told as such', () => {
    const { headline } = samples.failed.report
    const report = { ...samples.ok.report, status: 'failed' as const, ...(headline && { headline }) }
    const { html } = renderPage({ ...samples.ok, report })
    const parts = ['Does not work', 'was acquired, but a check failed', 'Cause', 'Fix', 'Checks']
    expect(inOrder(textOf(html), parts)).toEqual(parts)
  })

  test('a sign-in that waits is shown also when a check failed', () => {
    const { report } = samples.pending
    const { checks, headline } = samples.failed.report
    const failed = { ...report, status: 'failed' as const, checks, ...(headline && { headline }) }
    const { html } = renderPage({ ...samples.pending, report: failed })
    const parts = ['Does not work', 'AUTHORITY_UNTRUSTED', 'HJ7K-2QXP', 'Checks']
    expect(inOrder(textOf(html), parts)).toEqual(parts)
    expect(html).toContain('data-every="5"')
  })

  test('an address to sign in at that is no web address is text, not a link', () => {
    const { report } = samples.pending
    const signIn = { userCode: 'A', verificationUri: 'javascript:alert(1)', expiresOn: '2026-11-21T02:24:32.000Z' }
    const { html } = renderPage({ ...samples.pending, report: { ...report, token: { ...report.token, signIn } } })
    expect(html).toContain('javascript:')
    expect(html).not.toMatch(/href="javascript/)
  })

  test('a code that has run out says so', () => {
    const { html } = renderPage({ ...samples.pending, now: new Date('2026-11-21T03:00:00Z') })
    expect(textOf(html)).toContain('The code is no longer valid')
    expect(html).not.toContain('data-left="')
  })

  test('a placeholder profile names each field to replace and its variable', () => {
    const text = textOf(renderPage(samples.placeholder).html)
    const parts = [
      'Fields to replace',
      'PLATFORM_AUTHORITY_HOST',
      'profile file only',
      'PLATFORM_KEYVAULT_AUDIENCE',
      'Checks',
    ]
    expect(inOrder(text, parts)).toEqual(parts)
    expect(text).not.toContain('PLACEHOLDER_FIELD')
  })

  test('a field set by a variable names it, the value it replaced and where that came from', () => {
    const { profile } = samples.ok
    const overridden = {
      value: 'https://new.example/',
      from: 'PLATFORM_AUTHORITY_HOST',
      beat: [{ value: 'https://old.example/', from: 'built-in platform-us-government' }],
    }
    const fields = profile.fields.map((field) => (field.path === 'authorityHost' ? { ...field, ...overridden } : field))
    const parts = [
      '2 fields set by a variable',
      'https://new.example/',
      'PLATFORM_AUTHORITY_HOST',
      'instead of',
      'https://old.example/',
      'built-in platform-us-government',
    ]
    expect(inOrder(textOf(renderPage({ ...samples.ok, profile: { ...profile, fields } }).html), parts)).toEqual(parts)
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

  test('before the first timer run it says that there was none', () => {
    expect(textOf(renderPage(samples.ok).html)).toContain('No run yet')
  })

  test('the last timer run names each profile and what failed', () => {
    const parts = [
      'Last scheduled check',
      '10 min ago',
      'platform-commercial',
      'passed',
      'failed',
      'AUTHORITY_UNTRUSTED',
    ]
    expect(inOrder(textOf(renderPage(samples.warning).html), parts)).toEqual(parts)
  })

  test.each(['failed', 'pending'] as const)('markup in every field of a %s report stays text', (status) => {
    const { html } = renderPage(withHostileProfile((path) => `<x-hostile>"'</title>${path}`, status))
    expect(html).not.toContain('<x-hostile')
    expect(html.match(/<\/title>/g)).toHaveLength(1)
    expect(html.split('&lt;x-hostile&gt;&quot;&#39;&lt;/title&gt;').length).toBeGreaterThan(60)
  })
})
