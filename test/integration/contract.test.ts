import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { useProcesses } from '../support/processes.ts'
import { schemathesis, withoutSchemathesis } from '../support/schemathesis.ts'
import { inBuiltProject } from '../support/start-command.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { useEnclave } from '../support/use-enclave.ts'

const document = fileURLToPath(new URL('../../docs/reference/openapi.json', import.meta.url))
const key = 'key-of-the-contract'
const running = useEnclave()
const directory = useTemporaryDirectory()
const { start } = useProcesses()

/** A method that no path lists gets 404, as on Azure Functions. */
const excluded = 'unsupported_method'

/** Runs it against `cloud-profile serve`, with a bounded number of requests. */
async function compare(openapi: string, more: readonly string[]) {
  const { cloud, files } = running
  const settings = { PLATFORM_HOST_KEY: key }
  const server = start(
    ['src/cli/cloud-profile.ts', 'serve'],
    inBuiltProject({ ...cloud.environment('clientSecret', files), ...settings }),
  )
  const [, url = ''] = await server.printed(/^Server running on (\S+)\n.*\n.*\n/)
  const requests = ['--max-examples', '8', '--seed', '1', '--request-timeout', '60', '--no-shrink']
  const checks = ['--checks', 'all', '--exclude-checks', excluded, '--continue-on-failure']
  const args = ['run', openapi, '--url', url, '-H', `x-functions-key: ${key}`, ...checks, ...requests, ...more]
  const { code, stdout } = await start(args, { command: schemathesis, cwd: directory.path }).ended
  server.signal('SIGTERM')
  expect((await server.ended).code).toBe(0)
  return { code, stdout }
}

describe.skipIf(withoutSchemathesis !== '')(`The server and docs/reference/openapi.json${withoutSchemathesis}`, () => {
  test('agree: no error 5xx, no status, content type or field that is not documented', async () => {
    const { code, stdout } = await compare(document, ['--phases', 'examples,coverage,fuzzing'])
    expect([code, code === 0 ? '' : stdout]).toEqual([0, ''])
    expect(stdout).toMatch(/Tested: 10\b/)
  })
})
