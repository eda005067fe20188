import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { renderPage } from '../../src/page/page.ts'
import { samples } from '../support/sample-reports.ts'

describe('the headers of the page', () => {
  const { html, headers } = renderPage(samples.ok)
  const policy = headers['content-security-policy'] ?? ''

  test.each(['style', 'script'])('let through the one inline %s of the page by its hash', (element) => {
    const blocks = [...html.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))].map(([, text]) => text ?? '')
    expect(blocks).toHaveLength(1)
    const hash = createHash('sha256').update(blocks.join('')).digest('base64')
    expect(policy).toContain(`${element}-src 'sha256-${hash}'`)
  })

  test('allow nothing else', () => {
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    const sources = 'default-src style-src script-src connect-src img-src form-action base-uri frame-ancestors'
    const directives = [...sources.split(' '), 'require-trusted-types-for', 'trusted-types']
    expect(policy.split('; ').map((directive) => directive.split(' ')[0])).toEqual(directives)
    expect(html).not.toMatch(/\son\w+=|\sstyle=|<link rel="stylesheet|@import|url\(/)
  })

  test('keep the page out of caches, frames, other origins and guesses of its type', () => {
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(headers['permissions-policy']).toContain('camera=()')
  })

  test('have the same tag while nothing but ages changes', () => {
    const later = renderPage({ ...samples.ok, now: new Date('2026-11-21T02:10:05.000Z') })
    expect(later.html).not.toBe(html)
    expect(later.headers['etag']).toBe(headers['etag'])
    expect(later.html).toContain(`data-etag="${headers['etag']?.replaceAll('"', '&quot;')}"`)
  })
})
