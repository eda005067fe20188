import { appDirectory } from '../app-directory.ts'
import { defineCommand } from '../command.ts'
import { serveApp } from '../serve-app.ts'

export const command = defineCommand({
  description:
    'Builds the bundle, and serves it on port 3000 (or PORT) with the settings of this environment, until it is stopped.',
  options: { built: { type: 'boolean', help: 'serve what is in dist; needs no development package' } },
  notes: 'Exit code: 0 stopped, 2 wrong usage or configuration, 3 an internal error.',
  async run({ values }, { print }) {
    if (!values.built) {
      const [{ buildBundle }, { stop }] = await Promise.all([import('../../../build.ts'), import('esbuild')])
      await buildBundle()
      // The builder keeps a process of its own, which is not needed any more.
      await stop()
    }
    await serveApp({ appDirectory, print })
    return undefined
  },
})
