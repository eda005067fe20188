import { randomUUID } from 'node:crypto'

import type { Activity } from '../server/activity.ts'
import type { InvocationRequest, InvocationResponse, TriggerData } from './core-types.ts'
import { messageOf } from '../server/errors.ts'
import type { IndexedFunction } from './function-index.ts'
import { invokeFunction } from './invocation.ts'
import type { WorkerApp } from './worker-app.ts'

/** Starts invocations and bounds them in time. */
export interface Dispatcher {
  /** @throws What the function threw, or that it took too long. It has been logged. */
  run(
    entry: IndexedFunction,
    data: TriggerData,
    trace?: Pick<InvocationRequest, 'traceContext'>,
  ): Promise<InvocationResponse>
}

/** @param timeout Milliseconds. */
export function createDispatcher(app: WorkerApp, timeout: number, activity: Activity): Dispatcher {
  return {
    async run(entry, data, trace) {
      const invocationId = randomUUID()
      const functionName = entry.info.name
      activity.begin()
      try {
        const request = { invocationId, inputData: [{ name: entry.inputName, data }], ...trace }
        const work = invokeFunction(app, entry, request)
        return await within(work, timeout)
      } catch (error) {
        const message = `Function "${functionName}" failed: ${messageOf(error)}`
        app.log({ level: 'error', category: 'host', message, functionName, invocationId, error })
        throw error
      } finally {
        activity.end()
      }
    },
  }
}

/** The real host ends the worker process then. Here the function goes on by itself, and its result is dropped. */
function within<T>(work: Promise<T>, timeout: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`it did not end within ${timeout} ms.`))
    }, timeout)
    // A stopped host must not be kept in the process by a function that never ends.
    timer.unref()
    const settle = <V>(callback: (value: V) => void) => {
      return (value: V) => {
        clearTimeout(timer)
        callback(value)
      }
    }
    work.then(settle(resolve), settle(reject))
  })
}
