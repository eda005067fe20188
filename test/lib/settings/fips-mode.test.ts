import { getFips } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isFipsMode } from '../../../src/lib/settings/fips-mode.ts'
import { readSettings } from '../../../src/lib/settings/settings.ts'

const isOn = getFips() === 1

describe('PLATFORM_REQUIRE_FIPS', () => {
  test('reads the mode that OpenSSL is in', () => {
    expect(isFipsMode()).toBe(isOn)
  })

  test.each([undefined, '', 'false'])('with the value %o asks for nothing', (value) => {
    expect(readSettings({ PLATFORM_REQUIRE_FIPS: value }).requireFips).toBe(false)
  })

  test.runIf(!isOn)('refuses to start without FIPS mode, and names what Node ignores silently', () => {
    const start = () => readSettings({ PLATFORM_REQUIRE_FIPS: 'true' })
    expect(start).toThrow(expect.objectContaining({ code: 'FIPS_MODE_OFF' }) as Error)
    expect(start).toThrow(/OPENSSL_CONF that names no file.*nodejs_conf/)
  })

  test.runIf(isOn)('starts in FIPS mode', () => {
    expect(readSettings({ PLATFORM_REQUIRE_FIPS: 'true' }).requireFips).toBe(true)
  })
})
