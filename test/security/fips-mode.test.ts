import { spawnSync } from 'node:child_process'
import { getFips } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cleanEnvironment } from '../support/environment.ts'
import { skipped } from '../support/missing.ts'
import { repository } from '../support/project-copy.ts'
import { commandLine } from '../support/start-command.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const isFips = getFips() === 1
const withoutFips = skipped(!isFips && 'OPENSSL_CONF and OPENSSL_MODULES name no FIPS provider')

const temp = useTemporaryDirectory()

test.skipIf(!isFips).each([
  ['accepts a whole openssl.cnf', /$^/, ''],
  ['refuses one with openssl_conf only', /^nodejs_conf.*$/m, 'nodejs_conf'],
  ['refuses one without default_properties', /^default_properties.*$/m, 'default_properties'],
  ['refuses one without the provider base', /^base = .*$/m, 'without the provider base'],
])(`PLATFORM_REQUIRE_FIPS %s${withoutFips}`, (_what, removed, message) => {
  const whole = readFileSync(process.env['OPENSSL_CONF'] ?? '', 'utf8')
  const OPENSSL_CONF = temp.write('openssl.cnf', whole.replace(removed, ''))
  const env = cleanEnvironment({ PLATFORM_REQUIRE_FIPS: 'true', OPENSSL_CONF })
  const options = { cwd: repository, env, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [commandLine, 'settings'], options)
  expect(status === 0).toBe(message === '')
  expect(`${stdout}${stderr}`.replaceAll(/\s+/g, ' ')).toContain(message)
})
