import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { buildBundle } from '../../../build.ts'
import { showValue } from '../../lib/base/show-value.ts'
import { readSettings } from '../../lib/settings/settings.ts'
import { appDirectory } from '../app-directory.ts'
import { defineCommand } from '../command.ts'
import { exitCodes, UsageError } from '../exit.ts'

/** Whether cmd.exe takes an argument unchanged and unquoted. */
export const isPlain = (argument: string) => /^[\w@+=:,./\\-]+$/.test(argument)

export const command = defineCommand({
  description: 'Builds the bundle, and serves it with the real Functions host on port 3000 (or PORT).',
  options: {},
  positionals: { name: '[-- ARGUMENT…]', most: Infinity, message: '' },
  notes: 'Arguments after a second -- go to func start.',
  async run({ positionals }, { env, note }) {
    const onWindows = process.platform === 'win32'
    const unsafe = positionals.find((argument) => onWindows && !isPlain(argument))
    if (unsafe !== undefined)
      throw new UsageError(`cmd.exe would interpret ${showValue(unsafe)}. Use letters, digits and @+=:,./\\_- only`)
    const { port } = readSettings(env)
    if (typeof port === 'string') throw new UsageError('PORT must be a number for the Functions host')
    await buildBundle()
    const func = spawn('func', ['start', '--port', String(port), ...positionals], {
      cwd: appDirectory,
      stdio: 'inherit',
      // func is a batch file on Windows, which only cmd.exe can start.
      shell: onWindows,
      // Without it, func asks a person which language this is.
      env: { ...env, FUNCTIONS_WORKER_RUNTIME: 'node' },
    })
    func.once('spawn', () =>
      note(`The page: http://localhost:${port}/ (func prints this address with two slashes, which is 404 there)`),
    )
    // A terminal sends its signals to func too, which ends by itself; npm sends them only here.
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => func.kill(signal))
    const [code] = (await once(func, 'exit').catch((error: unknown) => {
      throw new UsageError(
        `Cannot start the Functions host (${String((error as NodeJS.ErrnoException).code)}). ` +
          'Install azure-functions-core-tools where its download is allowed, or run npm start, which needs no other tool',
      )
    })) as [number | null]
    return code === 0 || code === null ? exitCodes.passed : exitCodes.failed
  },
})
