import { AzureLogger, createClientLogger, setLogLevel } from '@azure/logger'
import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { runAttempt } from '../../../../src/lib/auth/library/credential-library.ts'
import { startCpuTime } from '../../../support/cpu-time.ts'

const log = AzureLogger.log
afterEach(() => {
  AzureLogger.log = log
  setLogLevel(undefined)
})

const httpClient = { sendRequest: () => Promise.reject(new Error('no request')) }

async function linesOf(text: string, secrets: readonly string[] = []): Promise<string[]> {
  const lines: string[] = []
  await runAttempt({ httpClient, secrets: () => secrets, log: (line) => lines.push(line) }, async () => {
    createClientLogger('identity').verbose(text)
  })
  return lines
}

test('each attempt gets its own lines, also while others run, and one without a log gets none', async () => {
  const lines: Record<string, string[]> = { one: [], two: [] }
  const raw: unknown[] = []
  AzureLogger.log = (...parts) => raw.push(parts)
  const work = (name: string) => async () => {
    for (let count = 0; count < 3; count++) {
      await setImmediate()
      createClientLogger('identity').info(`line of ${name}`)
    }
  }
  const context = { httpClient, secrets: () => [] }
  await Promise.all([
    runAttempt({ ...context, log: (line) => lines['one']?.push(line) }, work('one')),
    runAttempt({ ...context, log: (line) => lines['two']?.push(line) }, work('two')),
    runAttempt(context, work('three')),
  ])
  for (const name of ['one', 'two'])
    expect(lines[name]).toEqual(Array.from({ length: 3 }, () => expect.stringContaining(`line of ${name}`) as string))
  expect(raw).toEqual([])
})

describe('a line of the credential library', () => {
  test.each(['\n', '\r\n', '\u2028', '\u0085', '\u001B[2K', '\u202E'])(
    'cannot be forged by %j in what the other side sent',
    async (hidden) => {
      const [line = '', ...others] = await linesOf(`token_endpoint https://x.test/${hidden}{"event":"token"}`)
      expect(others).toEqual([])
      expect(line).toContain('{"event":"token"}')
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    },
  )

  test('contains no known secret and nothing like a token', async () => {
    const lines = await linesOf('secret hunter2-planted token abcdefghijkl.abcdefghijkl.abcdefghijkl', [
      'hunter2-planted',
    ])
    expect(lines).toEqual([/secret \[redacted\] token \[redacted\]/])
  })

  test('is of bounded length, and read in time that grows with it only', async () => {
    const cpuTime = startCpuTime()
    const [line = ''] = await linesOf('a-'.repeat(500_000))
    expect(line.length).toBeLessThan(10_000)
    expect(cpuTime()).toBeLessThan(1000)
  })
})
