import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'
import { afterAll } from 'vitest'

import { startEmulator } from '../../src/emulator/emulator.ts'
import type { EmulatorOptions } from '../../src/emulator/emulator.ts'
import type { App } from '../../src/lib/base/app.ts'
import type { RunningServer } from '../../src/server/server.ts'
import { applyLocalSettings } from '../../src/emulator/app-files.ts'
import type { LogLine } from '../../src/server/log.ts'
import { recordLog, type StartedServer } from './use-servers.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))

/** The files of an app. `code` sees `app`, `input` and `output` of the real library, and is bundled with it. */
export interface AppFiles {
  readonly code?: string
  readonly hostJson?: unknown
  readonly packageJson?: unknown
  readonly localSettings?: unknown
  /** Further files, or replacements, as they are. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
}

export interface StartedEmulator extends StartedServer {
  readonly app: App
  readonly directory: string
}

export type StartOptions = AppFiles & Partial<EmulatorOptions>

/** An app that answers `hello` at /api/hello. */
export const hello = `app.get('hello', { authLevel: 'anonymous', handler: () => ({ body: 'hello' }) })`

/** Apps in temporary directories, and hosts for them; all are gone after the test file. */
export function useEmulators() {
  const hosts: RunningServer[] = []
  const directories: string[] = []
  afterAll(async () => {
    await Promise.all(hosts.map((host) => host.close()))
    for (const directory of directories) rmSync(directory, { recursive: true, force: true })
  })

  async function writeApp(app: AppFiles): Promise<string> {
    const directory = mkdtempSync(join(tmpdir(), 'emulator-'))
    directories.push(directory)
    const files: Record<string, string | Uint8Array> = {
      'package.json': toText(app.packageJson ?? { main: 'main.cjs' }),
      'host.json': toText(app.hostJson ?? { version: '2.0' }),
      'main.cjs': await bundle(app.code ?? hello),
      ...(app.localSettings === undefined ? {} : { 'local.settings.json': toText(app.localSettings) }),
      ...app.files,
    }
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, name)), { recursive: true })
      writeFileSync(join(directory, name), content)
    }
    return directory
  }

  async function start(options: StartOptions = {}): Promise<StartedEmulator> {
    const directory = options.appDirectory ?? (await writeApp(options))
    const env = options.env ?? {}
    const { httpPort } = applyLocalSettings(directory, env)
    const { log, ...recorded } = recordLog<LogLine>()
    const host = await startEmulator({
      appDirectory: directory,
      port: options.port ?? httpPort ?? 0,
      hostname: options.hostname,
      env,
      runTimers: options.runTimers,
      key: options.key,
      gracePeriod: options.gracePeriod,
      invocationTimeout: options.invocationTimeout,
      tls: options.tls,
      log,
    })
    hosts.push(host)
    return {
      ...host,
      ...recorded,
      directory,
      request: (path, init) => fetch(`http://127.0.0.1:${host.port}${path}`, { redirect: 'manual', ...init }),
    }
  }

  return { writeApp, start }
}

let library: Promise<string> | undefined

/** Puts code behind the real library in one CommonJS file, as an app's build does. */
export async function bundle(code: string): Promise<string> {
  library ??= bundleLibrary()
  return `${await library}\nconst { app, input, output } = library\n${code}`
}

async function bundleLibrary(): Promise<string> {
  const result = await build({
    stdin: { contents: `module.exports = require('@azure/functions')`, resolveDir: repository },
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

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
