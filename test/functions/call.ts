import { createApp } from '../../src/functions/app.ts'
import type { Env } from '../../src/lib/base/env.ts'
import { createService } from '../../src/lib/service/service.ts'
import { readQuery } from '../../src/server/read-request.ts'

/** The app with these variables, without a server. */
export function openApp(env: Env) {
  const { functions, timers } = createApp(createService(env))
  return {
    /** Calls a function. The result is `undefined` for a path that no function has. */
    call: async (target: string, headers: Readonly<Record<string, string>> = {}) => {
      const { href, pathname, search } = new URL(target, 'http://localhost')
      const found = functions.find(({ path }) => `/${path}` === pathname)
      const request = { method: 'GET', url: href, headers: { host: 'localhost', ...headers }, query: readQuery(search) }
      const response = await found?.handle(request, { id: '1', log() {} })
      if (response === undefined) return undefined
      const body = String(response.body ?? '')
      return { ...response, body, type: response.headers['content-type'], json: () => JSON.parse(body) as unknown }
    },
    /** @returns The events that the scheduled smoke test logs, and its error. */
    runTimer: async () => {
      const events: { readonly level: string; readonly event: string }[] = []
      const log = (_level: string, line: string) => void events.push(JSON.parse(line) as (typeof events)[number])
      const error: unknown = await timers[0]?.run({ id: '1', log }).catch((thrown: unknown) => thrown)
      return { events, error }
    },
  }
}

export const callerOf = (env: Env) => openApp(env).call
