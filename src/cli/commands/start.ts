import { startEmulator } from '../../emulator/emulator.ts'
import { applyLocalSettings } from '../../emulator/app-files.ts'
import { createService } from '../../lib/service/service.ts'
import { appDirectory } from '../app-directory.ts'
import { defineCommand } from '../command.ts'
import { serveApp } from '../serve-app.ts'

export const command = defineCommand({
  description:
    'Builds the bundle and serves it with the local emulator on port 3000 (or PORT), with the settings of this environment and of local.settings.json, until it is stopped.',
  options: {
    built: { type: 'boolean', help: 'serve the bundle in dist without building it; needs no development packages' },
    'ignore-local-settings': { type: 'boolean', help: 'do not read local.settings.json' },
  },
  notes: 'Exit code: 0 stopped, 2 usage or configuration error, 3 an internal error.',
  async run({ values }, { env, print }) {
    if (!values.built) {
      const [{ buildBundle }, { stop }] = await Promise.all([import('../../../build.ts'), import('esbuild')])
      await buildBundle()
      // Ends the process of esbuild.
      await stop()
    }
    const { httpPort } = values['ignore-local-settings'] ? {} : applyLocalSettings(appDirectory, process.env)
    // Before the bundle is loaded, so that an invalid setting ends the start with its own message.
    const service = createService(process.env)
    const local = httpPort === undefined || env['PORT']?.trim() ? {} : { port: httpPort }
    await serveApp(service, (options) => startEmulator({ appDirectory, ...options, ...local }), print)
    return undefined
  },
})
