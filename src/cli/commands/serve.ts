import { createService } from '../../lib/service/service.ts'
import { createApp } from '../../routes/app.ts'
import { startServer } from '../../server/server.ts'
import { defineCommand } from '../command.ts'
import { serveApp } from '../serve-app.ts'

export const command = defineCommand({
  description: 'Serves on port 3000 (or PORT) with the settings of this environment, until it is stopped.',
  options: {},
  notes: 'Exit code: 0 stopped, 2 usage or configuration error, 3 an internal error.',
  async run(_given, { env, print }) {
    const service = createService(env)
    const app = createApp(service)
    await serveApp(service, (options) => startServer(app, { ...options, timeZone: env['WEBSITE_TIME_ZONE'] }), print)
    return undefined
  },
})
