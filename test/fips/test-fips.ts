import { spawnSync } from 'node:child_process'
import { provideFips, type FipsProvider } from './provider.ts'

/**
 * `npm run test:fips [FILTER…]`: the tests of credentials, security, integration and release with OpenSSL in FIPS mode.
 * Without a compiler, perl, make, openssl or cargo it says what is missing and skips; with CI set that is a failure.
 */
const suites: readonly (readonly string[])[] = [
  ['run', 'test/fips', 'test/lib/auth', 'test/security', 'test/integration'],
  ['run', '--config', 'vitest.release.config.ts'],
]

const provider = tryToProvide()
if (provider !== undefined) {
  const filters = process.argv.slice(2)
  const runs = filters.length > 0 ? [['run', ...filters]] : suites
  const environment = { ...process.env, OPENSSL_CONF: provider.configuration, OPENSSL_MODULES: provider.modules }
  for (const args of runs) {
    const { status } = spawnSync('vitest', [...args], { env: environment, stdio: 'inherit' })
    process.exitCode ||= status ?? 1
  }
}

function tryToProvide(): FipsProvider | undefined {
  try {
    return provideFips()
  } catch (error) {
    const { message, stderr } = error as Error & { stderr?: Buffer }
    const lastLine = stderr?.toString().trim().split('\n').at(-1) ?? ''
    process.stdout.write(`Skipped: the FIPS provider cannot be built here (${message.split('\n')[0]} ${lastLine})\n`)
    if (process.env['CI']) process.exitCode = 1
    return undefined
  }
}
