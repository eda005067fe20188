import { expect, test } from 'vitest'

import { useEmulators } from '../../support/use-emulators.ts'
import type { StartedEmulator } from '../../support/use-emulators.ts'

const { start } = useEmulators()

// Tests that wait for the second hand wait together.
const never = '0 0 0 1 1 *'

const timer = (options: string, body = `context.log('ran')`) =>
  `app.timer('tick', { useMonitor: false, ${options}, handler: async (timer, context) => { ${body} } })`

const ran = (host: StartedEmulator) => host.logs.filter(({ message }) => message === 'ran').length

function run(host: StartedEmulator): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return host.request('/admin/functions/tick', { method: 'POST', headers, body: '{"input":""}' })
}

test.concurrent('a timer runs on its schedule', async () => {
  const host = await start({ code: timer(`schedule: '* * * * * *'`) })
  const line = await host.logged(({ message }) => message === 'ran')
  expect(line).toMatchObject({ name: 'tick', level: 'info', category: 'app' })
})

test.concurrent('a run that fails does not end the schedule', async () => {
  const host = await start({
    code: timer(`schedule: '* * * * * *'`, `throw new Error('run ' + (globalThis.n = (globalThis.n ?? 0) + 1))`),
  })
  const line = await host.logged(({ message }) => message.endsWith('run 2'))
  expect(line.message).toBe('Function "tick" failed: run 2')
})

test('runTimers: false leaves the schedule alone, and a timer still runs by hand', async () => {
  const quiet = await start({ code: timer(`schedule: '* * * * * *'`), runTimers: false })
  await run(quiet)
  await quiet.logged(({ message }) => message === 'ran')
  await quiet.close()
  expect(ran(quiet)).toBe(1)
})

test.concurrent('a timer does not overlap itself: the schedule skips, and runs by hand share the next', async () => {
  const body = `
    context.log('ran')
    globalThis.overlap = (globalThis.overlap ?? 0) + 1
    globalThis.most = Math.max(globalThis.most ?? 0, globalThis.overlap)
    await new Promise((resolve) => { globalThis.release = resolve })
    globalThis.overlap -= 1`
  const shared = globalThis as unknown as { most: number; release: () => void }
  const host = await start({ code: timer(`schedule: '* * * * * *'`, body) })
  await host.logged(({ message }) => message === 'Timer function "tick" is still running: this occurrence is skipped.')
  for (const _ of [1, 2, 3]) expect((await run(host)).status).toBe(202)
  expect(ran(host)).toBe(1)
  shared.release()
  const again = await start({ code: timer(`schedule: '${never}'`) })
  await run(again)
  await again.logged(({ message }) => message === 'ran')
  expect(ran(host)).toBe(2)
  expect(shared.most).toBe(1)
  const closing = host.close()
  shared.release()
  await closing
  expect(ran(host)).toBe(2)
})

test.each([
  [
    'a value out of range',
    '0 99 * * * *',
    {},
    'SCHEDULE_INVALID',
    'The schedule of function "tick", "0 99 * * * *", is not a schedule: "99" is not a minute',
  ],
  ['text that is no schedule', 'hourly', {}, 'SCHEDULE_INVALID', 'The schedule of function "tick", "hourly", is not'],
  ['no schedule', '', {}, 'SCHEDULE_INVALID', 'Function "tick" has no schedule.'],
  [
    'an unknown time zone',
    never,
    { WEBSITE_TIME_ZONE: 'Mars/Base' },
    'SETTING_INVALID',
    'WEBSITE_TIME_ZONE "Mars/Base"',
  ],
])('%s fails the start by name', async (_, schedule, env, code, message) => {
  await expect(start({ code: timer(`schedule: '${schedule}'`), env })).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message),
  })
})

test('a timer that a setting disables does not run by itself', async () => {
  const code = `${timer(`schedule: '* * * * * *'`)}\n${timer(`schedule: '* * * * * *'`, `context.log('other')`).replace("'tick'", "'other'")}`
  const host = await start({ code, env: { 'AzureWebJobs.tick.Disabled': '1' } })
  await host.logged(({ message }) => message === 'other')
  expect(ran(host)).toBe(0)
})
