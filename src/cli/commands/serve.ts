import { readVariable } from '../../lib/base/env.ts'
import { showValue } from '../../lib/base/printable.ts'
import { createService } from '../../lib/service/service.ts'
import { createApp } from '../../functions/app.ts'
import { startServer } from '../../server/server.ts'
import { defineCommand, UsageError } from '../command.ts'
import { serveApp } from '../serve-app.ts'

export const command = defineCommand({
  description: 'Runs the service on port 3000 (or PORT) with the settings of this environment, until it is stopped.',
  options: {
    grace: {
      value: 'SECONDS',
      help: 'how long a stop may take, 3 to 3600; in the first half the service still responds, and /api/health?ready fails',
    },
  },
  notes:
    'Listens on PORT (default 3000) of PLATFORM_LISTEN_ADDRESS (default 127.0.0.1). Any other address needs a host key, in the ' +
    'file of PLATFORM_HOST_KEY_PATH. For https, set PLATFORM_TLS_CERTIFICATE_PATH and PLATFORM_TLS_KEY_PATH. The command ' +
    '"settings" prints all settings.\n\n' +
    'Exit code: 0 stopped, 2 usage or configuration error, 3 an internal error.',
  async run({ values }, { env, print }) {
    const grace = readGrace(values.grace)
    const service = createService(env)
    const app = createApp(service)
    await serveApp(
      service,
      (options) => startServer(app, { ...options, timeZone: readVariable(env, 'WEBSITE_TIME_ZONE') }),
      print,
      grace,
    )
    return undefined
  },
})

function readGrace(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (seconds >= 3 && seconds <= 3600) return seconds
  throw new UsageError(`--grace must be a whole number of seconds from 3 to 3600, but is ${showValue(text)}`)
}
