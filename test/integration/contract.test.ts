import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { useProcesses } from '../support/processes.ts'
import { schemathesis, withoutSchemathesis } from '../support/schemathesis.ts'
import { inBuiltProject } from '../support/start-command.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { useEnclave } from '../support/use-enclave.ts'

const document = fileURLToPath(new URL('../../docs/reference/openapi.json', import.meta.url))
const key = 'key-of-the-contract'
const running = useEnclave()
const directory = useTemporaryDirectory()
const { start, run } = useProcesses()

test.skipIf(withoutSchemathesis !== '')(
  `The server has no error 5xx, and no status, content type or field that docs/reference/openapi.json has not${withoutSchemathesis}`,
  async () => {
    const { cloud, files } = running
    const env = { ...cloud.environment('clientSecret', files), PLATFORM_HOST_KEY: key }
    const server = start(['src/cli/cloud-profile.ts', 'serve'], inBuiltProject(env))
    const [, url = ''] = await server.printed(/^Server running on (\S+)\n.*\n.*\n/)
    const requests = ['--max-examples', '8', '--seed', '1', '--request-timeout', '60', '--no-shrink']
    // A method that no path lists gets 404, as on Azure Functions.
    const checks = ['--checks', 'all', '--exclude-checks', 'unsupported_method', '--continue-on-failure']
    const target = ['run', document, '--url', url, '-H', `x-functions-key: ${key}`]
    const args = [...target, ...checks, ...requests, '--phases', 'examples,coverage,fuzzing']
    const { code, stdout } = await run(args, { command: schemathesis, cwd: directory.path })
    server.signal('SIGTERM')
    expect((await server.ended).code).toBe(0)
    expect([code, code === 0 ? '' : stdout]).toEqual([0, ''])
    expect(stdout).toMatch(/Tested: 10\b/)
  },
)
