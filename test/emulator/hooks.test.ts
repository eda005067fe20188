import { expect, test } from 'vitest'

import { useEmulators } from '../support/use-emulators.ts'

const { start } = useEmulators()

test('hooks run around the app and each invocation, in the order of their registration', async () => {
  const host = await start({
    code: `
      const seen = globalThis.hookOrder = []
      app.hook.appStart((context) => { context.hookData.started = 1; seen.push('appStart') })
      app.hook.appTerminate((context) => { seen.push('appTerminate ' + context.hookData.started) })
      app.hook.preInvocation((context) => { context.hookData.n = 1; seen.push('pre 1 ' + context.invocationContext.functionName) })
      app.hook.preInvocation(async (context) => { await null; seen.push('pre 2 ' + context.hookData.n) })
      app.hook.postInvocation((context) => { seen.push('post ' + context.hookData.n) })
      app.get('f', () => { seen.push('handler'); return {} })`,
  })
  await host.request('/api/f')
  await host.close()
  expect((globalThis as Record<string, unknown>)['hookOrder']).toEqual([
    'appStart',
    'pre 1 f',
    'pre 2 1',
    'handler',
    'post 1',
    'appTerminate 1',
  ])
})

test('a preInvocation hook replaces inputs and handler', async () => {
  const host = await start({
    code: `
      app.hook.preInvocation((context) => {
        context.inputs = ['replaced']
        const original = context.functionHandler
        context.functionHandler = (...args) => ({ body: original(...args).body + ' twice' })
      })
      app.get('f', (input) => ({ body: input }))`,
  })
  expect(await (await host.request('/api/f')).text()).toBe('replaced twice')
})

test('a postInvocation hook replaces the result, and forgives or causes an error', async () => {
  const host = await start({
    code: `
      app.hook.postInvocation((context) => {
        if (context.invocationContext.functionName === 'forgiven') { context.error = null; context.result = { body: 'forgiven' } }
        if (context.invocationContext.functionName === 'spoiled') context.error = new Error('spoiled by hook')
        if (context.invocationContext.functionName === 'replaced') context.result = { body: context.result.body + '!' }
      })
      app.get('forgiven', () => { throw new Error('no') })
      app.get('spoiled', () => ({}))
      app.get('replaced', () => ({ body: 'result' }))`,
  })
  expect(await (await host.request('/api/forgiven')).text()).toBe('forgiven')
  expect((await host.request('/api/spoiled')).status).toBe(500)
  expect(await (await host.request('/api/replaced')).text()).toBe('result!')
})

test('a preInvocation hook that throws fails the invocation, and the handler does not run', async () => {
  const host = await start({
    code: `
      app.hook.preInvocation(() => { throw new Error('hook failed') })
      app.get('f', (request, context) => { context.log('handler ran') })`,
  })
  expect((await host.request('/api/f')).status).toBe(500)
  expect(host.logs.map(({ message }) => message)).toEqual(['Function "f" failed: hook failed'])
})

test('hook data cannot be replaced', async () => {
  const host = await start({
    code: `
      require('@azure/functions-core').registerHook('preInvocation', (context) => { context.hookData = {} })
      app.get('f', () => ({}))`,
  })
  expect((await host.request('/api/f')).status).toBe(500)
  expect(host.logs.at(-1)?.message).toBe(`Function "f" failed: Cannot assign to read only property 'hookData'`)
})

test('an appStart hook may register a function, and one that throws fails the start with its message', async () => {
  const host = await start({ code: `app.hook.appStart(() => { app.get('f', () => ({})) })` })
  expect((await host.request('/api/f')).status).toBe(200)
  await expect(
    start({ code: `app.get('f', () => ({})); app.hook.appStart(() => { throw new Error('not today') })` }),
  ).rejects.toMatchObject({ code: 'APP_LOAD_FAILED', message: 'not today' })
})

test('what a function logs carries its name, its invocation and the level', async () => {
  const host = await start({
    code: `
      app.get('f', (request, context) => {
        for (const level of ['trace', 'debug', 'info', 'log', 'warn', 'error']) context[level](level, { a: 1 })
        return { body: context.invocationId }
      })`,
  })
  const invocationId = await (await host.request('/api/f')).text()
  const common = { category: 'app', name: 'f', callId: invocationId }
  expect(host.logs).toEqual([
    { ...common, level: 'verbose', message: 'trace { a: 1 }' },
    { ...common, level: 'verbose', message: 'debug { a: 1 }' },
    { ...common, level: 'info', message: 'info { a: 1 }' },
    { ...common, level: 'info', message: 'log { a: 1 }' },
    { ...common, level: 'warning', message: 'warn { a: 1 }' },
    { ...common, level: 'error', message: 'error { a: 1 }' },
  ])
})

test('a log sink that throws does not fail the invocation', async () => {
  const host = await start({
    code: `app.get('f', (request, context) => { context.log('x'); return { body: 'fine' } })`,
  })
  void host.logged(() => {
    throw new Error('sink')
  })
  expect(await (await host.request('/api/f')).text()).toBe('fine')
})

test('what the library says is a line of a separate category', async () => {
  const host = await start({
    code: `app.get('f', (request, context) => { setImmediate(() => context.log('late')) })`,
  })
  await host.request('/api/f')
  await host.logged(({ category }) => category === 'app')
  expect(host.logs.map(({ category, message }) => [category, message])).toEqual([
    ['library', expect.stringContaining("Unexpected call to 'log' on the context object")],
    ['app', 'late'],
  ])
})
