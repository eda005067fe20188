import { fork, type ChildProcess } from 'node:child_process'
import { on, once } from 'node:events'
import { afterAll, beforeAll } from 'vitest'
import type { HttpFunction, TimerFunction } from '../../src/lib/base/app.ts'
import type { LogLine } from '../../src/server/log.ts'
import { builtService, bundledCommand } from './build.ts'
import { differences } from './contract.ts'
import { cleanEnvironment } from './environment.ts'
import { recordLog, requestTo } from './use-servers.ts'

type ServedLine = Pick<LogLine, 'level' | 'category' | 'message'>

/** The functions of an app without their code, as one process can tell another. */
interface ServedFunctions {
  readonly functions: readonly Omit<HttpFunction, 'handle'>[]
  readonly timers: readonly Omit<TimerFunction, 'run'>[]
}

export type AppMessage =
  | ({ readonly kind: 'started'; readonly port: number } & ServedFunctions)
  | { readonly kind: 'log'; readonly line: ServedLine }
  | { readonly kind: 'modules'; readonly paths: readonly string[] }

/** What a warm worker is told when it learns which app it runs. */
export interface Reload {
  readonly variables: NodeJS.ProcessEnv
  readonly directory: string
}

/** When a worker gets the variables and the folder of its app: as its process starts, or later, as on plans that keep workers warm. */
export type WorkerStart = 'with its settings' | 'by reload'

export interface ServeOptions {
  /** Default is the deployable part of this run's build. */
  readonly directory?: string
  readonly start?: WorkerStart
}

export interface ServedApp extends ServedFunctions {
  readonly port: number
  readonly logs: readonly ServedLine[]
  /** Throws if the response differs from docs/reference/openapi.json. */
  request(path: string, init?: RequestInit): Promise<Response>
  /** Resolves with the first line of log that matches, past or future. */
  logged(matches: (line: ServedLine) => boolean): Promise<ServedLine>
  modules(): Promise<readonly string[]>
  close(): Promise<void>
}

/** Serves the built bundle in a separate process with exactly these variables. Timers run only by request. */
export async function serveApp(variables: NodeJS.ProcessEnv, options: ServeOptions = {}): Promise<ServedApp> {
  const { directory = builtService().deployable, start = 'with its settings' } = options
  const isWarm = start === 'by reload'
  const child = fork(bundledCommand('serve-app'), isWarm ? [] : [directory], {
    env: cleanEnvironment(isWarm ? {} : variables),
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  if (isWarm) child.send({ variables: cleanEnvironment(variables), directory } satisfies Reload)
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const { log, ...recorded } = recordLog<ServedLine>()
  child.on('message', (message: AppMessage) => {
    if (message.kind === 'log') log(message.line)
  })
  const failed = once(child, 'exit').then(() => {
    throw new Error(`The service ended:\n${errors}`)
  })
  const { port, functions, timers } = await Promise.race([next(child, 'started'), failed])
  failed.catch(() => undefined)

  return {
    port,
    functions,
    timers,
    ...recorded,
    async request(path, init) {
      const response = await requestTo(port)(path, init)
      const found = await differences(init?.method ?? 'GET', path, response)
      if (found.length > 0) throw new Error(`${path} differs from docs/reference/openapi.json: ${found.join(', ')}`)
      return response
    },
    async modules() {
      const answer = next(child, 'modules')
      child.send({})
      return (await answer).paths
    },
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, 'exit')
      child.disconnect()
      await exit
    },
  }
}

/** As {@link serveApp}, for all tests of a file. */
export function useService(variables: NodeJS.ProcessEnv, options?: ServeOptions): () => ServedApp {
  let service: ServedApp | undefined
  beforeAll(async () => {
    service = await serveApp(variables, options)
  })
  afterAll(() => service?.close())
  return () => {
    if (service === undefined) throw new Error('The service has not been started')
    return service
  }
}

type MessageOf<Kind> = Extract<AppMessage, { readonly kind: Kind }>

async function next<Kind extends AppMessage['kind']>(child: ChildProcess, kind: Kind): Promise<MessageOf<Kind>> {
  for await (const [message] of on(child, 'message') as AsyncIterable<[AppMessage]>)
    if (message.kind === kind) return message as MessageOf<Kind>
  throw new Error('There are no messages any more')
}
