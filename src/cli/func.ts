import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { buildBundle } from '../../build.ts'
import { exitCodes, runCommand, UsageError } from './run-command.ts'

// `npm run func`: builds the bundle and serves it with the real Functions host.
const root = fileURLToPath(new URL('../..', import.meta.url))

await runCommand(async () => {
  await buildBundle()
  const func = spawn('func', ['start', ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  // A terminal sends its signals to func too, which ends by itself; npm sends them only here.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => func.kill(signal))
  const [code] = (await once(func, 'exit').catch((error: unknown) => {
    throw new UsageError(
      `The Functions host could not be started (${String((error as NodeJS.ErrnoException).code)}). ` +
        'Install azure-functions-core-tools where its download is allowed, or use npm start, which needs nothing else',
    )
  })) as [number | null]
  return code === 0 || code === null ? exitCodes.passed : exitCodes.failed
})
