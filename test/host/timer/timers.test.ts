import { expect, test } from 'vitest'

import { useHosts } from '../support.ts'
import type { StartedHost } from '../support.ts'

const { start } = useHosts()

// Tests that wait for the second hand wait together.
const never = '0 0 0 1 1 *'

const timer = (options: string, body = `context.log('ran')`) =>
  `app.timer('tick', { useMonitor: false, ${options}, handler: async (timer, context) => { ${body} } })`

const ran = (host: StartedHost) => host.logs.filter(({ message }) => message === 'ran').length

function run(host: StartedHost): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return host.request('/admin/functions/tick', { method: 'POST', headers, body: '{"input":""}' })
}

test.concurrent('a timer runs on its schedule', async () => {
  const host = await start({ code: timer(`schedule: '* * * * * *'`) })
  const line = await host.logged(({ message }) => message === 'ran')
  expect(line).toMatchObject({ functionName: 'tick', level: 'information', category: 'user' })
})

test.concurrent('a run that fails does not end the schedule', async () => {
  const host = await start({
    code: timer(`schedule: '* * * * * *'`, `throw new Error('run ' + (globalThis.n = (globalThis.n ?? 0) + 1))`),
  })
  const line = await host.logged(({ message }) => message.endsWith('run 2'))
  expect(line.message).toBe('Function "tick" failed: run 2')
})

test('runOnStartup runs at the start, and runTimers: false leaves that alone too', async () => {
  const code = timer(`schedule: '${never}', runOnStartup: true`)
  const host = await start({ code })
  await host.logged(({ message }) => message === 'ran')
  const quiet = await start({ code, runTimers: false })
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
  const host = await start({ code: timer(`schedule: '* * * * * *', runOnStartup: true`, body) })
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

test.concurrent('a schedule may name a setting, also one of local.settings.json', async () => {
  const code = timer(`schedule: '%TICK_SCHEDULE%'`)
  const host = await start({ code, env: { TICK_SCHEDULE: '* * * * * *' } })
  await host.logged(({ message }) => message === 'ran')
  const localSettings = { IsEncrypted: false, Values: { TICK_SCHEDULE: never } }
  expect((await start({ code, localSettings })).functions[0]).toMatchObject({ schedule: '%TICK_SCHEDULE%' })
})

test.each([
  [
    'a setting that is not set',
    '%NOPE%',
    {},
    'SETTING_MISSING',
    'Setting NOPE, the schedule of function "tick", is not set.',
  ],
  ['a setting that is empty', '%NOPE%', { NOPE: '' }, 'SETTING_MISSING', 'Setting NOPE,'],
  [
    'a setting that is no schedule',
    '%BAD%',
    { BAD: '0 99 * * * *' },
    'SCHEDULE_INVALID',
    'BAD, the schedule of function "tick", "0 99 * * * *" is not a schedule: "99" is not a minute',
  ],
  ['text that is no schedule', 'hourly', {}, 'SCHEDULE_INVALID', 'The schedule of function "tick", "hourly" is not'],
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

test('a timer that wants a schedule monitor runs without, and that is said once', async () => {
  const code = ['a', 'b'].map((name) => `app.timer('${name}', { schedule: '${never}', handler() {} })`).join('\n')
  const host = await start({ code })
  expect(host.logs.map(({ level, message }) => [level, message])).toEqual([
    ['warning', expect.stringMatching(/^No schedule monitor here: a, b will not catch up/)],
  ])
  expect((await start({ code: timer(`schedule: '${never}'`) })).logs).toEqual([])
})

test('a timer that a setting disables does not run by itself', async () => {
  const code = `${timer(`schedule: '${never}', runOnStartup: true`)}\n${timer(`schedule: '${never}', runOnStartup: true`, `context.log('other')`).replace("'tick'", "'other'")}`
  const host = await start({ code, env: { 'AzureWebJobs.tick.Disabled': '1' } })
  await host.logged(({ message }) => message === 'other')
  expect(ran(host)).toBe(0)
})
