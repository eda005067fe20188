import { connect } from 'node:net'
import { afterAll } from 'vitest'
import type { App, AppResponse, HttpFunction } from '../../src/lib/base/app.ts'
import type { LogLine } from '../../src/server/log.ts'
import { startServer, type RunningServer, type ServerOptions } from '../../src/server/server.ts'

export interface StartedServer extends RunningServer {
  readonly logs: readonly LogLine[]
  request(path: string, init?: RequestInit): Promise<Response>
  /** Resolves with the first line of log that matches, past or future. */
  logged(matches: (line: LogLine) => boolean): Promise<LogLine>
}

export function httpFunction(
  name: string,
  respond: string | HttpFunction['handle'] = name,
  more: Partial<HttpFunction> = {},
): HttpFunction {
  const handle = typeof respond === 'string' ? async () => textResponse(respond) : respond
  return { name, path: name, methods: ['GET', 'HEAD'], authLevel: 'anonymous', handle, ...more }
}

export const textResponse = (body: string): AppResponse => {
  return { status: 200, headers: { 'content-type': 'text/plain' }, body }
}

/** A log that keeps its lines, and waits for one. */
export function recordLog<Line>() {
  const logs: Line[] = []
  const listeners = new Set<(line: Line) => void>()
  return {
    logs,
    log: (line: Line): void => {
      logs.push(line)
      for (const listener of listeners) listener(line)
    },
    logged: (matches: (line: Line) => boolean) =>
      new Promise<Line>((resolve) => {
        const past = logs.find(matches)
        if (past !== undefined) resolve(past)
        listeners.add((line) => {
          if (matches(line)) resolve(line)
        })
      }),
  }
}

export const requestTo =
  (port: number) =>
  (path: string, init?: RequestInit): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init })

/** Servers on free ports of loopback; all are closed after the test file. */
export function useServers() {
  const servers: RunningServer[] = []
  afterAll(() => Promise.all(servers.map((server) => server.close())))
  return async (app: Partial<App> = {}, options: Partial<ServerOptions> = {}): Promise<StartedServer> => {
    const { log, ...recorded } = recordLog<LogLine>()
    const functions = [httpFunction('f', 'fine')]
    const server = await startServer({ functions, timers: [], ...app }, { port: 0, ...options, log })
    servers.push(server)
    return { ...server, ...recorded, request: requestTo(server.port) }
  }
}

/** Sends bytes unchanged. @returns All that comes back until the server closes the connection. */
export function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'))
    let received = ''
    socket.setEncoding('latin1').on('data', (chunk: string) => (received += chunk))
    socket.on('close', () => resolve(received))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // A refused upload may end in a reset after the response.
      if (received === '') reject(error)
    })
  })
}

/** A whole request without a body, on a new connection. */
export function sendLines(port: number, ...lines: readonly string[]): Promise<string> {
  return sendRaw(port, [...lines, 'Connection: close', '', ''].join('\r\n'))
}
