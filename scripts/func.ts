import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { buildBundle } from '../build.ts'
import { findProgram } from '../src/lib/base/env.ts'
import { errorCode } from '../src/lib/base/files.ts'
import { readSettings } from '../src/lib/settings/settings.ts'
import { appDirectory } from '../src/cli/app-directory.ts'
import { defineCommand, exitCodes, UsageError } from '../src/cli/command.ts'

export const command = defineCommand({
  description: 'Builds the bundle, and serves it with the real Functions host on port 3000 (or PORT).',
  options: {},
  positionals: { name: '[-- ARGUMENT…]', most: Infinity, message: '' },
  notes: 'Arguments after a second -- go to func start. --port N there overrides PORT.',
  async run({ positionals }, { env, note }) {
    const { port } = readSettings(env)
    if (typeof port === 'string' && !/^\d+$/.test(port))
      throw new UsageError('PORT must be a number for the Functions host')
    const host = findProgram('func', env)
    if (host === undefined) throw cannotStart('ENOENT')
    await buildBundle()
    note('func prints the address of the page with two slashes, which returns 404: open it with one')
    // func takes the first of two ports.
    const func = spawn(host, ['start', ...positionals, '--port', String(port)], {
      cwd: appDirectory,
      stdio: 'inherit',
      // Without the runtime, func asks for the language. The homepage of the host looks like a page of the app.
      env: { ...env, FUNCTIONS_WORKER_RUNTIME: 'node', AzureWebJobsDisableHomepage: 'true' },
    })
    // npm sends signals only to this process. A terminal sends them to func too.
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => func.kill(signal))
    const [code] = (await once(func, 'exit').catch((error: unknown) => {
      throw cannotStart(errorCode(error) ?? 'unknown error')
    })) as [number | null]
    return code === 0 || code === null ? exitCodes.passed : exitCodes.failed
  },
})

const cannotStart = (code: string) =>
  new UsageError(
    `Cannot start the Functions host (${code}). ` +
      'Install azure-functions-core-tools where its download is allowed (on Windows with its installer), or run npm start',
  )
