import { AzureLogger, createClientLogger, setLogLevel } from '@azure/logger'
import { afterEach, describe, expect, test } from 'vitest'
import { guardLibraryLog, surfaceLibraryLog } from '../../../../src/lib/auth/library/credential-library.ts'
import { startCpuTime } from '../../../support/cpu-time.ts'

const log = AzureLogger.log
afterEach(() => {
  AzureLogger.log = log
  setLogLevel(undefined)
})

const linesOf = (text: string, secrets: readonly string[] = []): string[] => {
  const lines: string[] = []
  surfaceLibraryLog((line) => lines.push(line))
  const end = guardLibraryLog(() => secrets)
  createClientLogger('identity').verbose(text)
  end()
  return lines
}

describe('a line of the credential library', () => {
  test.each(['\n', '\r\n', '\u2028', '\u0085', '\u001B[2K', '\u202E'])(
    'cannot be forged by %j in what the other side sent',
    (hidden) => {
      const [line = '', ...others] = linesOf(`token_endpoint https://x.test/${hidden}{"event":"token"}`)
      expect(others).toEqual([])
      expect(line).toContain('{"event":"token"}')
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    },
  )

  test('contains no known secret and nothing like a token', () => {
    const lines = linesOf('secret hunter2-planted token abcdefghijkl.abcdefghijkl.abcdefghijkl', ['hunter2-planted'])
    expect(lines).toEqual([/secret \[redacted\] token \[redacted\]/])
  })

  test('is of bounded length, and read in time that grows with it only', () => {
    const cpuTime = startCpuTime()
    const [line = ''] = linesOf('a-'.repeat(500_000))
    expect(line.length).toBeLessThan(10_000)
    expect(cpuTime()).toBeLessThan(1000)
  })
})
