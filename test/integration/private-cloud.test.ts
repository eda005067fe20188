import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { missing } from '../support/missing.ts'
import { useProcesses } from '../support/processes.ts'
import { repository } from '../support/project-copy.ts'
import { commandLine, inBuiltProject } from '../support/start-command.ts'
import { useEnclave } from '../support/use-enclave.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const running = useEnclave()
const temp = useTemporaryDirectory()
const { start, run } = useProcesses()

const withoutBash = missing('bash', '--version')

test.skipIf(withoutBash !== '')(`docs/private-cloud.md leads from the metadata to a token${withoutBash}`, async () => {
  const { cloud, files } = running
  const page = readFileSync(join(repository, 'docs/private-cloud.md'), 'utf8')
  const values = cloud.environment('clientSecret', files)
  const replaced = {
    '/path/of/ca.pem': values['NODE_EXTRA_CA_CERTS'],
    'https://management.enclave.example': cloud.profile.resourceManagerEndpoint,
    'https://vault.enclave.example/': cloud.profile.serviceAudiences.keyVault,
    '=TENANT': `=${values['PLATFORM_TENANT_ID']}`,
    '=CLIENT': `=${values['PLATFORM_CLIENT_ID']}`,
    '/path/of/secret-file': temp.write('secret', values['PLATFORM_CLIENT_SECRET'] ?? ''),
  }
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block).join('')
  const script = Object.entries(replaced).reduce((text, [word, value = '']) => {
    expect(text).toContain(word)
    return text.replaceAll(word, value)
  }, blocks)
  // `npm run profile -- COMMAND` and `npm run smoke-test -- …`, as the package.json of the repository starts them.
  const npm = `npm() { shift; [ "$1" != --silent ] || shift; local name=$1; shift; [ "$1" != -- ] || shift
    [ "$name" = profile ] || set -- "$name" "$@"; '${process.execPath}' '${commandLine}' "$@"; }`
  const env = { PLATFORM_TOKEN_TIMEOUT_MS: '120000' }
  const words = ['-c', `set -eu\n${npm}\n${script}`]
  const { code, stdout, stderr } = await run(words, { command: 'bash', cwd: temp.path, env })
  expect([code, code === 0 ? '' : stdout + stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/1 passed, 0 with warnings, 0 failed/)
  expect(readFileSync(join(temp.path, 'provider.tf'), 'utf8')).toContain('provider "azurerm"')
  expect(readFileSync(join(temp.path, 'environment'), 'utf8')).toMatch(/^AZURE_AUTHORITY_HOST=/m)
})

test('a cloud with the older interfaces of a stack passes the smoke test', async () => {
  const enclave = start([commandLine, 'enclave', '--versions', 'stack', '--shell', 'env'], inBuiltProject())
  const [text = ''] = await enclave.printed(/^[^]*PLATFORM_CLIENT_SECRET=.*\n(?:\w+=.*\n)*/m)
  const lines = text.split('\n').flatMap((line) => [/^(\w+)=(.*)$/.exec(line)?.slice(1) ?? []])
  const env = Object.fromEntries(lines.filter(([name]) => name !== undefined)) as Record<string, string>
  const { code, stdout } = await run([commandLine, 'smoke-test', '--check-token'], inBuiltProject(env))
  expect([code, stdout]).toEqual([0, expect.stringContaining('1 passed, 0 with warnings')])
  enclave.signal('SIGTERM')
  await enclave.ended
})
