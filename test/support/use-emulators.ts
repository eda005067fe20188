import { build } from 'esbuild'
import { afterAll } from 'vitest'
import { startEmulator, type EmulatorOptions } from '../../src/emulator/emulator.ts'
import type { App } from '../../src/lib/base/app.ts'
import type { LogLine } from '../../src/server/log.ts'
import type { RunningServer } from '../../src/server/server.ts'
import { useTemporaryDirectory } from './temporary-directory.ts'
import { recordLog, requestTo, type StartedServer } from './use-servers.ts'

/** The files of an app. `code` sees `app` of the real library, and is bundled with it. */
interface AppFiles {
  readonly code?: string
  readonly hostJson?: unknown
  readonly packageJson?: unknown
  readonly localSettings?: unknown
  /** Further files, or replacements, as they are. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
}

const hello = `app.get('hello', { authLevel: 'anonymous', handler: () => ({ body: 'hello' }) })`

/** Apps in temporary directories, and emulators for them; all are gone after the test file. */
export function useEmulators() {
  const emulators: RunningServer[] = []
  const temp = useTemporaryDirectory()
  afterAll(() => Promise.all(emulators.map((each) => each.close())))
  let count = 0

  async function writeApp({ code = hello, hostJson, packageJson, localSettings, files }: AppFiles): Promise<string> {
    const directory = `app-${count++}`
    const all = {
      'package.json': packageJson ?? { main: 'main.cjs' },
      'host.json': hostJson ?? { version: '2.0' },
      'main.cjs': await bundle(code),
      ...(localSettings === undefined ? {} : { 'local.settings.json': localSettings }),
      ...files,
    }
    for (const [name, content] of Object.entries(all)) temp.write(`${directory}/${name}`, content)
    return `${temp.path}/${directory}`
  }

  async function start(app: AppFiles & Partial<EmulatorOptions> = {}): Promise<StartedServer & { readonly app: App }> {
    const { appDirectory = await writeApp(app) } = app
    const { log, ...recorded } = recordLog<LogLine>()
    const emulator = await startEmulator({ port: 0, ...app, appDirectory, log })
    emulators.push(emulator)
    return { ...emulator, ...recorded, request: requestTo(emulator.port) }
  }

  return { writeApp, start }
}

let library: Promise<string> | undefined

/** Puts code behind the real library in one CommonJS file, as an app's build does. */
export async function bundle(code: string): Promise<string> {
  library ??= bundleLibrary()
  return `${await library}\nconst { app } = library\n${code}`
}

async function bundleLibrary(): Promise<string> {
  const result = await build({
    stdin: { contents: `module.exports = require('@azure/functions')`, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'iife',
    globalName: 'library',
    external: ['@azure/functions-core'],
    logLevel: 'silent',
    write: false,
  })
  return result.outputFiles[0]?.text ?? ''
}
