import { fork } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { cleanEnvironment } from '../../support/environment.ts'
import { useEnclave } from '../../support/use-enclave.ts'

const running = useEnclave({ tokenLifetimeSeconds: 4 })

/** Milliseconds from the end of the work of a process to its exit. The request for the OpenID configuration gets no response. */
async function msToExit(scenario: 'abandon' | 'renew'): Promise<number> {
  const { cloud, files } = running
  const program = new URL('children/end-early.ts', import.meta.url)
  const child = fork(program, [scenario], {
    env: cleanEnvironment(cloud.environment('clientSecret', files)),
    execArgv: [],
  })
  try {
    if (scenario === 'renew') await once(child, 'message')
    cloud.clearRequests()
    await cloud.setFault({ kind: 'silent' }, 'login')
    const requested = cloud.waitForRequest((request) => request.path.endsWith('/openid-configuration'))
    if (scenario === 'renew') child.send('renew')
    await once(child, 'message')
    await requested
    child.send('end')
    await once(child, 'disconnect')
    const ended = performance.now()
    await once(child, 'exit')
    return performance.now() - ended
  } finally {
    child.kill('SIGKILL')
  }
}

test('an attempt that its only caller gave up holds no process', async () => {
  expect(await msToExit('abandon')).toBeLessThan(5000)
})

test('a renewal that hangs holds no process', async () => {
  expect(await msToExit('renew')).toBeLessThan(5000)
})
