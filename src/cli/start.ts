import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildBundle } from '../../build.ts'
import { exitCodes, runCommand } from './run-command.ts'
import { serve } from './serve.ts'

// `npm start`: builds the bundle and serves it. With --built, serves what is in dist.
await runCommand(async () => {
  const { values } = parseArgs({ options: { built: { type: 'boolean', default: false } } })
  if (!values.built) await buildBundle()
  await serve({ appDirectory: fileURLToPath(new URL('../..', import.meta.url)) })
  return exitCodes.passed
})
