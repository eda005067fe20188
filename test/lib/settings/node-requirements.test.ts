import { getFips } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { skipped } from '../../support/missing.ts'
import { describe, expect, test } from 'vitest'
import { isFipsMode, refuseOldNode } from '../../../src/lib/settings/node-requirements.ts'
import { readSettings } from '../../../src/lib/settings/settings.ts'
import { VERSION } from '../../../src/lib/settings/version.ts'
import { errorOf } from '../../support/error-of.ts'

test.each(['18.20.8', '21.7.3', '22.0.0'])('Node %s is refused by name', (version) => {
  const message = `Node ${version} is too old: Node 22.1 or later is needed`
  expect(errorOf(() => refuseOldNode(version))).toMatchObject({ code: 'NODE_UNSUPPORTED', message })
})

test.each(['22.1.0', '24.21.0', '26.10.0', undefined])('Node %s is accepted', (version) => {
  expect(() => refuseOldNode(version)).not.toThrow()
})

test('the service shows the version of the package', async () => {
  const text = await readFile(new URL('../../../package.json', import.meta.url), 'utf8')
  expect((JSON.parse(text) as { readonly version: string }).version).toBe(VERSION)
})

describe('PLATFORM_REQUIRE_FIPS', () => {
  const isOn = getFips() === 1

  test('reads the mode that OpenSSL is in, and asks for nothing unless it is true', () => {
    expect(isFipsMode()).toBe(isOn)
    for (const value of [undefined, '', 'false']) {
      expect(readSettings({ PLATFORM_REQUIRE_FIPS: value }).requireFips).toBe(false)
    }
  })

  test.skipIf(isOn)(
    `refuses to start without FIPS mode, and names what Node ignores silently${skipped(isOn && 'Node is in FIPS mode')}`,
    () => {
      const start = () => readSettings({ PLATFORM_REQUIRE_FIPS: 'true' })
      expect(start).toThrow(expect.objectContaining({ code: 'FIPS_MODE_OFF' }) as Error)
      expect(start).toThrow(/OPENSSL_CONF that names no file.*nodejs_conf/)
    },
  )

  test.skipIf(!isOn)(`starts in FIPS mode${skipped(!isOn && 'Node is not in FIPS mode')}`, () => {
    expect(readSettings({ PLATFORM_REQUIRE_FIPS: 'true' }).requireFips).toBe(true)
  })
})
