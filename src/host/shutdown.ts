import { once } from 'node:events'
import type { Server } from 'node:http'

import type { Activity } from './activity.ts'
import type { StartedApp } from './app/app-start.ts'
import type { Log } from './host-log.ts'
import type { Timers } from './timer/timers.ts'

export interface ShutdownParts {
  readonly server: Server
  readonly timers: Timers
  readonly activity: Activity
  readonly app: StartedApp
  /** Milliseconds. */
  readonly gracePeriod: number
  readonly log: Log
}

/** Makes the function that stops a host, once: later calls get the promise of the first. */
export function createShutdown(parts: ShutdownParts): () => Promise<void> {
  let stopping: Promise<void> | undefined
  return () => (stopping ??= stop(parts))
}

async function stop({ server, timers, activity, app, gracePeriod, log }: ShutdownParts): Promise<void> {
  const closed = once(server, 'close')
  // Closes idle connections too.
  server.close()
  timers.stop()
  if (!(await isDoneWithin(activity.idle(), gracePeriod))) {
    log({
      level: 'warning',
      category: 'host',
      message: `Stopping with invocations under way: they did not finish within ${gracePeriod} ms.`,
    })
  }
  server.closeAllConnections()
  await closed
  await terminate({ app, gracePeriod, log })
}

/** Runs the appTerminate hooks, which must not keep the host open. */
export async function terminate({
  app,
  gracePeriod,
  log,
}: Pick<ShutdownParts, 'app' | 'gracePeriod' | 'log'>): Promise<void> {
  if (!(await isDoneWithin(app.terminate(), gracePeriod))) {
    log({
      level: 'warning',
      category: 'host',
      message: `An appTerminate hook did not finish within ${gracePeriod} ms.`,
    })
  }
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
