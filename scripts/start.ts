import { readVariable } from '../src/lib/base/env.ts'
import { stop } from 'esbuild'
import { buildBundle } from '../build.ts'
import { appDirectory } from '../src/cli/app-directory.ts'
import { defineCommand } from '../src/cli/command.ts'
import { serveApp } from '../src/cli/serve-app.ts'
import { applyLocalSettings } from '../src/emulator/app-files.ts'
import { startEmulator } from '../src/emulator/emulator.ts'
import { createService } from '../src/lib/service/service.ts'

export const command = defineCommand({
  description:
    'Builds the bundle and serves it with the local emulator on port 3000 (or PORT), with the settings of this environment and of local.settings.json, until it is stopped.',
  options: { built: { help: 'serve the bundle in dist without building it; needs no development packages' } },
  notes: 'Exit code: 0 stopped, 2 usage or configuration error, 3 an internal error.',
  async run({ values }, { env, print }) {
    if (!values.built) {
      await buildBundle()
      // Ends the process of esbuild.
      await stop()
    }
    const port = applyLocalSettings(appDirectory, process.env)
    // Before the bundle is loaded, so that an invalid setting ends the start with its own message.
    const service = createService(process.env)
    const local = port === undefined || readVariable(env, 'PORT') ? {} : { port }
    const timeZone = readVariable(process.env, 'WEBSITE_TIME_ZONE')
    await serveApp(service, (options) => startEmulator({ appDirectory, ...options, ...local, timeZone }), print)
    return undefined
  },
})
