import { appDirectory } from '../app-directory.ts'
import { defineCommand } from '../command.ts'
import { serveApp } from '../serve-app.ts'

export const command = defineCommand({
  description:
    'Serves what is built on port 3000 (or PORT) with the settings of this environment, until it is stopped.',
  options: {},
  notes: 'Exit code: 0 stopped, 2 wrong usage or configuration, 3 an internal error.',
  async run(_given, { print }) {
    await serveApp({ appDirectory, print })
    return undefined
  },
})
