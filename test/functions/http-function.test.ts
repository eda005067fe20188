import { describe, expect, test } from 'vitest'
import { httpFunction, logTo } from '../../src/functions/http-function.ts'

const context = (log: (level: string, line: string) => void) => ({ log })

describe('A line of log', () => {
  test.each(['info', 'warning', 'error'] as const)('of the level %s is one JSON object', (level) => {
    const lines: [string, string][] = []
    logTo(context((...line) => lines.push(line)))({ level, event: 'token', status: 'acquired' })
    const [[at, line] = ['', '']] = lines
    const expected = { time: /^\d{4}-.*Z$/, level, version: '2.0.0', event: 'token', status: 'acquired' }
    expect([at, JSON.parse(line)]).toEqual([level, expected])
  })

  test.each(['\n', '\u001b[2K', '\u2028', '\u202e', '\u200b', '\u0000'])(
    'shows %j as an escape in any field',
    (hidden) => {
      const lines: string[] = []
      const log = logTo(context((_level, line) => lines.push(line)))
      log(`library${hidden}`)
      log({ level: 'error', event: 'token', profile: `p${hidden}`, message: `m${hidden}` })
      for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      expect(JSON.parse(lines[1] ?? '')).toMatchObject({ profile: `p${hidden}`, message: `m${hidden}` })
    },
  )

  test('that cannot be written stops nothing', () => {
    const broken = context(() => {
      throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
    })
    expect(() => logTo(broken)({ level: 'error', event: 'token' })).not.toThrow()
  })
})

test.each([
  [Object.assign(new Error('open /secret'), { code: 'EMFILE' }), 'PROCESS_RESOURCES_EXHAUSTED', '(EMFILE)'],
  [Object.assign(new TypeError('/secret'), { code: 'MODULE_NOT_FOUND' }), 'UNEXPECTED', 'TypeError (MODULE_NOT_FOUND)'],
  [new Error('/secret'), 'UNEXPECTED', 'Error'],
  ['/secret', 'UNEXPECTED', 'unknown'],
])(
  'an error of a function (%s) is a 500 with a code; the log has its name and number, not its text',
  async (thrown, code, reason) => {
    const { handle } = httpFunction({
      name: 'f',
      path: 'f',
      authLevel: 'anonymous',
      openApi: { summary: '', responses: {} },
      handle: () => Promise.reject(thrown),
    })
    const lines: string[] = []
    const request = { method: 'GET', url: 'http://x/f', headers: {}, query: {} }
    const { status, headers, body } = await handle(request, { id: '1', log: (_level, line) => lines.push(line) })
    expect([status, JSON.parse(String(body))]).toMatchObject([500, { code, instance: '1' }])
    expect(headers).toMatchObject({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' })
    expect(JSON.parse(lines.join(''))).toMatchObject({ code, message: expect.stringContaining(reason) as string })
    expect(lines.join('') + String(body)).not.toContain('secret')
  },
)

test('a line of the credential library is one JSON object at level info, because the Functions host drops its debug level', () => {
  const lines: [string, string][] = []
  logTo(context((...line) => lines.push(line)))('azure:identity:info a\nb "c"')
  expect(lines).toEqual([['info', expect.not.stringContaining('\n')]])
  const message = 'azure:identity:info a\nb "c"'
  expect(JSON.parse(lines[0]?.[1] ?? '')).toMatchObject({ level: 'verbose', event: 'library', message })
})
