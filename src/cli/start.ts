import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { stop } from 'esbuild'
import { buildBundle } from '../../build.ts'
import { exitCodes, runCommand } from './run-command.ts'
import { serve } from './serve.ts'

// `npm start`: builds the bundle and serves it. With --built, serves what is in dist.
await runCommand(async () => {
  const { values } = parseArgs({ options: { built: { type: 'boolean', default: false } } })
  if (!values.built) {
    await buildBundle()
    // The builder keeps a process of its own, which is not needed any more.
    await stop()
  }
  await serve({ appDirectory: fileURLToPath(new URL('../..', import.meta.url)) })
  return exitCodes.passed
})
