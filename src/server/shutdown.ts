import { once } from 'node:events'
import type { Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

import type { App } from '../lib/base/app.ts'
import type { OpenResponses } from './connections.ts'
import type { Invocations } from './invocations.ts'
import type { Log } from './log.ts'
import { sendEmpty } from './respond.ts'
import type { Timers } from './timers.ts'

export interface ShutdownParts {
  readonly server: Server
  readonly responses: OpenResponses
  readonly timers: Timers
  readonly invocations: Invocations
  readonly app: App
  /** Milliseconds in which a stopping server still accepts. */
  readonly drainPeriod: number
  /** Milliseconds. */
  readonly gracePeriod: number
  /** Called when every response has to end its connection. */
  readonly onClosing: () => void
  readonly log: Log
}

/** Milliseconds in which clients that keep a connection learn that it ends, and in which requests on their way still arrive. */
const arrivalPeriod = 200
/** Milliseconds for a response to leave. */
const departurePeriod = 200

/** Makes the function that stops a server, once: later calls get the promise of the first. */
export function createShutdown(parts: ShutdownParts): () => Promise<void> {
  let stopping: Promise<void> | undefined
  return () => (stopping ??= stop(parts))
}

async function stop(parts: ShutdownParts): Promise<void> {
  const { server, responses, timers, invocations, app, drainPeriod, gracePeriod, onClosing, log } = parts
  timers.stop()
  app.drain?.()
  await delay(drainPeriod)
  onClosing()
  await delay(arrivalPeriod)
  const closed = once(server, 'close')
  server.close()
  const isIdle = () => responses.count() + invocations.count() === 0
  if (!(await isTrueWithin(isIdle, gracePeriod))) {
    const message = `Stopping with invocations under way: they did not finish within ${gracePeriod} ms.`
    log({ level: 'warning', category: 'server', message })
    responses.forEachUnanswered((response) => {
      response.shouldKeepAlive = false
      sendEmpty(response, 503)
    })
    await isTrueWithin(isIdle, departurePeriod)
  }
  // The last response may still be on its way.
  await delay(departurePeriod / 4)
  server.closeAllConnections()
  await closed
}

async function isTrueWithin(isTrue: () => boolean, ms: number): Promise<boolean> {
  const end = performance.now() + ms
  while (!isTrue()) {
    if (performance.now() >= end) return false
    await delay(5)
  }
  return true
}
