import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as win32 from 'node:path/win32'
import { buildBundle } from '../build.ts'
import { type Env, type FindOptions, findProgram, isExecutable, programFolders } from '../src/lib/base/env.ts'
import { errorCode } from '../src/lib/base/files.ts'
import { readSettings } from '../src/lib/settings/settings.ts'
import { appDirectory } from '../src/cli/app-directory.ts'
import { defineCommand, exitCodes, UsageError } from '../src/cli/command.ts'

/**
 * Finds the Functions host in the absolute folders of PATH. On Windows npm installs it as a batch file. A shell must start this file, and would
 * interpret the arguments, so this function returns the script that the batch file runs.
 */
export function findFunc(
  env: Env,
  { platform = process.platform, isProgram = isExecutable }: FindOptions = {},
): { readonly file: string; readonly first: readonly string[] } | undefined {
  const file = findProgram('func', env, { platform, isProgram })
  if (file !== undefined) return { file, first: [] }
  if (platform !== 'win32') return undefined
  const script = programFolders(env, platform)
    .flatMap((folder) => [win32.join(folder, 'node_modules', hostScript), win32.join(folder, '..', hostScript)])
    .find(isProgram)
  return script === undefined ? undefined : { file: process.execPath, first: [script] }
}

const hostScript = String.raw`azure-functions-core-tools\lib\main.js`

export const command = defineCommand({
  description: 'Builds the bundle, and serves it with the real Functions host on port 3000 (or PORT).',
  options: {},
  positionals: { name: '[-- ARGUMENT…]', most: Infinity, message: '' },
  notes: 'Arguments after a second -- go to func start. --port N there overrides PORT.',
  async run({ positionals }, { env, note }) {
    const port = portIn(positionals) ?? readSettings(env).port
    if (typeof port === 'string' && !/^\d+$/.test(port)) {
      throw new UsageError('PORT must be a number for the Functions host')
    }
    const host = findFunc(env)
    if (host === undefined) throw cannotStart('ENOENT')
    await buildBundle()
    // func takes the first of two ports.
    const given = portIn(positionals) === undefined ? ['--port', String(port)] : []
    const func = spawn(host.file, [...host.first, 'start', ...given, ...positionals], {
      cwd: appDirectory,
      stdio: 'inherit',
      // Without the runtime, func asks for the language. The homepage of the host looks like a page of the app.
      env: { ...env, FUNCTIONS_WORKER_RUNTIME: 'node', AzureWebJobsDisableHomepage: 'true' },
    })
    const poll = setInterval(() => {
      void isServing(port).then((isLoaded) => {
        if (!isLoaded || func.exitCode !== null) return
        clearInterval(poll)
        note(`The page: http://localhost:${port}/ (func prints the address with two slashes, which returns 404)`)
      })
    }, pollInterval)
    func.once('close', () => clearInterval(poll))
    // npm sends signals only to this process. A terminal sends them to func too.
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => func.kill(signal))
    const [code] = (await once(func, 'exit').catch((error: unknown) => {
      throw cannotStart(errorCode(error) ?? 'unknown error')
    })) as [number | null]
    return code === 0 || code === null ? exitCodes.passed : exitCodes.failed
  },
})

const pollInterval = 500

/** The value of `--port N`, `--port=N` or `-p N`. */
function portIn(args: readonly string[]): string | undefined {
  const index = args.findIndex((arg) => /^(--port|-p)(=|$)/.test(arg))
  const [option, next] = index === -1 ? [] : args.slice(index)
  return option?.includes('=') === true ? option.split('=', 2)[1] : next
}

/** Whether the host has loaded the app. Only the app has a health route, which needs no key. */
async function isServing(port: number | string): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => undefined)
  return response?.headers.get('content-type')?.startsWith('application/health+json') ?? false
}

const cannotStart = (code: string) =>
  new UsageError(
    `Cannot start the Functions host (${code}). ` +
      'Install azure-functions-core-tools where its download is allowed, or run npm start, which needs no further tool',
  )
