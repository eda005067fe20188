import { spawnSync } from 'node:child_process'
import { provideFips, type FipsProvider } from './provider.ts'

/**
 * `node scripts/main.ts fips [FILTER…]`: the tests of credentials, security, integration and release, and of every surface, with OpenSSL in FIPS mode. It includes the tests of
 * `npm run test:all` too. With OPENSSL_CONF and OPENSSL_MODULES it takes that provider, of another version. Without a compiler, perl, make, openssl or cargo it says what is missing and skips; with CI set that
 * is a failure.
 */
const rooms = [
  'fips',
  'lib/auth',
  'security',
  'server/certificate',
  'integration',
  'release',
  'networks/one-family',
].map((room) => `test/${room}`)

const provider = tryToProvide()
if (provider !== undefined) {
  const filters = process.argv.slice(2)
  const projects = ['shared', 'isolated', 'exhaustive', 'networks', 'release']
  const args = [
    'run',
    ...projects.map((name) => `--project=${name}`),
    '--maxWorkers=3',
    ...(filters.length > 0 ? filters : rooms),
  ]
  const env = { ...process.env, OPENSSL_CONF: provider.configuration, OPENSSL_MODULES: provider.modules }
  process.exitCode = spawnSync('vitest', args, { env, stdio: 'inherit' }).status ?? 1
}

function tryToProvide(): FipsProvider | undefined {
  const { OPENSSL_CONF: configuration, OPENSSL_MODULES: modules } = process.env
  if (configuration && modules) return { configuration, modules }
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
