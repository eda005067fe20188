import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as immediate, setTimeout as delay } from 'node:timers/promises'

import type { Activity } from './activity.ts'
import type { App } from '../lib/base/app.ts'
import type { Log } from './log.ts'
import type { Connections } from './http/connections.ts'
import { sendEmpty } from './http/http-response.ts'
import type { Timers } from './timer/timers.ts'

export interface ShutdownParts {
  readonly server: Server
  readonly connections: Connections
  readonly timers: Timers
  readonly activity: Activity
  readonly app: App
  /** Milliseconds in which a stopping server still accepts. */
  readonly drainPeriod: number
  /** Milliseconds. */
  readonly gracePeriod: number
  /** Called when nothing new is accepted any more. */
  readonly onListenerClosed: () => void
  readonly log: Log
}

/** Milliseconds in which requests on their way still arrive: a listener that closes at once resets waiting connections. */
const arrival = 100
/** Milliseconds for an answer to leave. */
const departure = 200
/** Milliseconds for the app to terminate. */
const farewell = 300

/** Makes the function that stops a server, once: later calls get the promise of the first. */
export function createShutdown(parts: ShutdownParts): () => Promise<void> {
  let stopping: Promise<void> | undefined
  return () => (stopping ??= stop(parts))
}

async function stop({
  server,
  connections,
  timers,
  activity,
  app,
  drainPeriod,
  gracePeriod,
  log,
  onListenerClosed,
}: ShutdownParts): Promise<void> {
  timers.stop()
  app.drain?.()
  await delay(drainPeriod)
  await delay(arrival)
  await untilQuiet(server)
  const closed = once(server, 'close')
  // Not `server.close()`: that of http resets idle connections, which may carry a request by now.
  NetServer.prototype.close.call(server)
  // Not sooner: who is told to close its connection opens the next, which would wait at the listener.
  onListenerClosed()
  // Who has just been answered asks again on the same connection, and is told to close it then.
  await delay(arrival)
  await untilQuiet(server)
  if (!(await isDoneWithin(activity.idle(), gracePeriod))) {
    log({
      level: 'warning',
      category: 'server',
      message: `Stopping with calls under way: they did not finish within ${gracePeriod} ms.`,
    })
    connections.forEachUnanswered((response) => {
      response.shouldKeepAlive = false
      sendEmpty(response, 503)
    })
    await isDoneWithin(activity.idle(), departure)
  }
  connections.endIdle()
  await delay(departure / 4)
  server.closeAllConnections()
  await closed
  await terminate({ app, log })
}

/** Waits for some turns of the event loop with nothing in them: the server accepts every connection made by then. */
async function untilQuiet(server: Server): Promise<void> {
  let accepted = 0
  const count = () => (accepted += 1)
  server.on('connection', count)
  const began = performance.now()
  // A turn accepts one connection, and may be short.
  for (let last = began, quiet = 0; quiet < 3 && last - began < arrival;) {
    const before = accepted
    await immediate()
    const now = performance.now()
    quiet = accepted === before && now - last < 0.3 ? quiet + 1 : 0
    last = now
  }
  server.off('connection', count)
}

/** Terminates the app, which must not keep the server open. */
export async function terminate({ app, log }: Pick<ShutdownParts, 'app' | 'log'>): Promise<void> {
  if (app.terminate === undefined || (await isDoneWithin(app.terminate(), farewell))) return
  log({ level: 'warning', category: 'server', message: `The app did not terminate within ${farewell} ms.` })
}

async function isDoneWithin(work: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  const isDone = await Promise.race([work.then(() => true), timeout])
  clearTimeout(timer)
  return isDone
}
