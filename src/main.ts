import { registerApp } from './azure-functions/register-app.ts'
import { createApp } from './functions/app.ts'
import { logTo } from './functions/http-function.ts'
import type { LogEvent } from './lib/base/app.ts'
import { isServiceError } from './lib/errors.ts'
import { describeSource } from './lib/profile/explained-profile.ts'
import { createService, type Service } from './lib/service/service.ts'

const missingPart = 'A part of this build cannot be loaded'

// The entry point on Azure Functions. No invocation exists yet, so it writes its log to stdout. The Functions host logs each line of stderr as
// an error.
const log = logTo({ log: (_level, line) => process.stdout.write(`${line}\n`) })
const service = resolve()
registerApp(createApp(service))
// Opening stdout takes milliseconds, a third of a cold start, so this waits until the entry point is loaded.
setImmediate(() => {
  process.stdout.write(`Cloud: ${service.cloud.profile.name}\nAuth Mode: ${service.settings.authMode}\n`)
  void describe(service).then(log)
})

/**
 * Resolves the service, or makes the start fail with the message of the error. It registers a timer first, because the Functions host turns
 * an entry point that throws without one into an app that returns 404 for every path.
 */
function resolve(): Service {
  try {
    return createService(process.env)
  } catch (error) {
    if (error instanceof Error) {
      log(describeFailure(error))
      // The worker prints the stack, and positions in minified code would hide the message.
      error.stack = `${error.name}: ${error.message}`
    }
    const run = () => Promise.reject(error)
    registerApp({ functions: [], timers: [{ name: 'failedStart', schedule: '0 0 0 1 1 *', run }] })
    throw error
  }
}

async function describe(started: Service): Promise<LogEvent> {
  const { profile, source, selectedBy } = started.cloud
  const { settings } = started
  const [found, missing] = await Promise.all([started.warnings(), started.missingCredential()]).catch(() => [])
  const codes = [
    ...(found ?? []).map(({ code }) => code),
    ...(missing === undefined ? [] : ['CREDENTIAL_SETTING_MISSING']),
  ]
  const message = found === undefined ? missingPart : missing
  return {
    level: found === undefined ? 'error' : 'info',
    event: 'start',
    ...(message === undefined ? {} : { message }),
    profile: profile.name,
    source: describeSource(source),
    selectedBy,
    authMode: settings.authMode,
    authModeFrom: settings.authModeFrom,
    ...(found === undefined ? {} : { warnings: codes }),
  }
}

function describeFailure(error: Error): LogEvent {
  const isMissing = 'code' in error && error.code === 'MODULE_NOT_FOUND'
  const unexpected = isMissing ? `${missingPart} (MODULE_NOT_FOUND)` : error.name
  const { code, message } = isServiceError(error) ? error : { code: 'UNEXPECTED', message: unexpected }
  return { level: 'error', event: 'start', code, message }
}
