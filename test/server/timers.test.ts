import { describe, expect, test, vi } from 'vitest'
import type { TimerFunction } from '../../src/lib/base/app.ts'
import { createInvocations } from '../../src/server/invocations.ts'
import type { ServerOptions } from '../../src/server/server.ts'
import { createTimers } from '../../src/server/timers.ts'
import { useServers, type StartedServer } from '../support/use-servers.ts'

const startServer = useServers()

// Tests that wait for the second hand wait together.
const everySecond = '* * * * * *'
const never = '0 0 0 1 1 *'

const logged: TimerFunction['run'] = async ({ log }) => log('info', 'ran')
const start = (schedule: string | undefined, run = logged, options: Partial<ServerOptions> = {}) =>
  startServer({ timers: [{ name: 'tick', schedule, run }] }, options)

const ran = ({ logs }: StartedServer) => logs.filter(({ message }) => message === 'ran').length

function runNow(server: StartedServer): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return server.request('/admin/functions/tick', { method: 'POST', headers, body: '{"input":""}' })
}

test.concurrent('a timer runs on its schedule', async () => {
  const server = await start(everySecond)
  const line = await server.logged(({ message }) => message === 'ran')
  expect(line).toMatchObject({ name: 'tick', level: 'info', category: 'app' })
})

test.concurrent('a run that fails does not end the schedule', async () => {
  let runs = 0
  const server = await start(everySecond, async () => {
    throw new Error(`run ${++runs}`)
  })
  const line = await server.logged(({ message }) => message.endsWith('run 2'))
  expect(line.message).toBe('Function "tick" failed: run 2')
})

test.concurrent('a timer without a schedule does not run by itself, nor does any without runTimers', async () => {
  const unscheduled = await start(undefined)
  const quiet = await start(everySecond, logged, { runTimers: false })
  await new Promise((resolve) => setTimeout(resolve, 2100))
  expect([ran(unscheduled), ran(quiet)]).toEqual([0, 0])
  await runNow(quiet)
  await quiet.logged(({ message }) => message === 'ran')
})

test.concurrent('a timer does not overlap itself: the schedule skips, and runs by hand share the next', async () => {
  let release = () => {}
  let [underWay, most] = [0, 0]
  const server = await start(everySecond, async ({ log }) => {
    log('info', 'ran')
    underWay += 1
    most = Math.max(most, underWay)
    await new Promise<void>((resolve) => (release = resolve))
    underWay -= 1
  })
  await server.logged(
    ({ message }) => message === 'Timer function "tick" is still running: this occurrence is skipped.',
  )
  for (const _ of [1, 2, 3]) expect((await runNow(server)).status).toBe(202)
  expect(ran(server)).toBe(1)
  release()
  await vi.waitFor(() => expect(ran(server)).toBe(2))
  expect(most).toBe(1)
  const closing = server.close()
  release()
  await closing
  expect(ran(server)).toBe(2)
})

describe('After stop', () => {
  /** A timer whose runs end when the test says so. */
  function timerUnderTest(schedule?: string) {
    const ends: (() => void)[] = []
    const run = () => new Promise<void>((resolve) => ends.push(resolve))
    const invocations = createInvocations(60_000, () => undefined)
    const timers = createTimers([{ name: 'tick', schedule, run }], 'UTC', invocations, () => undefined)
    return { timers, ends }
  }
  const turns = () => new Promise((resolve) => setTimeout(resolve, 20))

  test('a run that was requested during another does not start', async () => {
    const { timers, ends } = timerUnderTest()
    timers.run('tick')
    timers.run('tick')
    timers.stop()
    ends[0]?.()
    await turns()
    expect(ends).toHaveLength(1)
  })

  test('none starts by request or by schedule', async () => {
    const { timers, ends } = timerUnderTest(everySecond)
    timers.start()
    timers.stop()
    timers.run('tick')
    await new Promise((resolve) => setTimeout(resolve, 1100))
    expect(ends).toHaveLength(0)
  })

  test('a run that was requested during another starts after it without a stop, once for all requests', async () => {
    const { timers, ends } = timerUnderTest()
    for (let index = 0; index < 3; index += 1) timers.run('tick')
    ends[0]?.()
    await turns()
    ends[1]?.()
    await turns()
    expect(ends).toHaveLength(2)
  })
})

test.each([
  [
    '0 99 * * * *',
    {},
    'SCHEDULE_INVALID',
    'The schedule "0 99 * * * *" of function "tick" is invalid: "99" is not a minute',
  ],
  ['hourly', {}, 'SCHEDULE_INVALID', 'The schedule "hourly" of function "tick" is invalid'],
  [never, { timeZone: 'Mars/Base' }, 'SETTING_INVALID', 'WEBSITE_TIME_ZONE is "Mars/Base"'],
])('the schedule "%s" with %j fails the start by name', async (schedule, options, code, message) => {
  const refused = { code, message: expect.stringContaining(message) as string }
  await expect(start(schedule, logged, options)).rejects.toMatchObject(refused)
})
