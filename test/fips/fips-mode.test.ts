import { execFileSync, spawnSync } from 'node:child_process'
import { createHash, getFips } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cleanEnvironment } from '../support/environment.ts'
import { repository } from '../support/project-copy.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const isFips = getFips() === 1
if (!isFips) console.warn('The tests of FIPS mode are skipped: run node scripts/main.ts fips')

const temp = useTemporaryDirectory()

test.skipIf(!isFips)(
  'under node scripts/main.ts fips the tests and the processes that they start run in FIPS mode',
  () => {
    expect(() => createHash('md5')).toThrow(/unsupported/)
    const mode = execFileSync(process.execPath, ['-p', 'crypto.getFips()'], {
      env: cleanEnvironment(),
      encoding: 'utf8',
    })
    expect(mode.trim()).toBe('1')
  },
)

describe.skipIf(!isFips)('PLATFORM_REQUIRE_FIPS', () => {
  const whole = () => readFileSync(process.env['OPENSSL_CONF'] ?? '', 'utf8')

  test.each([
    ['a missing file', undefined, 'names no file'],
    ['openssl_conf alone', (text: string) => text.replace(/^nodejs_conf.*$/m, ''), 'nodejs_conf'],
    ['no default_properties', (text: string) => text.replace(/^default_properties.*$/m, ''), 'default_properties'],
    ['no provider base', (text: string) => text.replace(/^base = .*$/m, ''), 'without the provider base'],
  ])('refuses an openssl.cnf with %s, and says so', (_what, edit, message) => {
    const OPENSSL_CONF = edit === undefined ? join(temp.path, 'none.cnf') : temp.write('openssl.cnf', edit(whole()))
    const { status, stdout, stderr } = readSettings({ OPENSSL_CONF })
    expect(status).not.toBe(0)
    expect(`${stdout}${stderr}`.replaceAll(/\s+/g, ' ')).toContain(message)
  })

  test('accepts the whole one', () => {
    expect(readSettings({})).toMatchObject({ status: 0 })
  })

  function readSettings(env: NodeJS.ProcessEnv) {
    const settings = {
      PLATFORM_CLOUD: 'platform-us-government',
      AUTH_MODE: 'clientSecret',
      PLATFORM_REQUIRE_FIPS: 'true',
    }
    return spawnSync(process.execPath, [join(repository, 'src/cli/cloud-profile.ts'), 'settings'], {
      env: cleanEnvironment({ ...settings, ...env }),
      encoding: 'utf8',
    })
  }
})
