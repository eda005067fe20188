import { execFileSync } from 'node:child_process'
import { createHash, getFips } from 'node:crypto'
import { expect, test } from 'vitest'
import { cleanEnvironment } from '../support/environment.ts'

const isFips = getFips() === 1

test.skipIf(!isFips)('under npm run test:fips the tests and the processes that they start run in FIPS mode', () => {
  expect(() => createHash('md5')).toThrow(/unsupported/)
  const mode = execFileSync(process.execPath, ['-p', 'crypto.getFips()'], { env: cleanEnvironment(), encoding: 'utf8' })
  expect(mode.trim()).toBe('1')
})
