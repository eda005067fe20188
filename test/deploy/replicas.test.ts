import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { useEnclaveService } from '../support/serve-enclave.ts'

const open = useEnclaveService()

/** Requests of replicas, by what they ask for. */
interface Cost {
  readonly token: number
  readonly login: number
  readonly others: number
}

/** What replicas ask the cloud when each is called often. */
async function measure(replicas: number): Promise<{ readonly first: Cost; readonly later: Cost }> {
  const { enclave, serve } = await open()
  const services = await Promise.all(Array.from({ length: replicas }, () => serve('clientSecret')))
  const count = (): Cost => {
    const tokens = enclave.requests.filter(({ method, path }) => method === 'POST' && path.includes('/token'))
    const logins = enclave.requests.filter(({ role }) => role === 'login')
    return {
      token: tokens.length,
      login: logins.length - tokens.length,
      others: enclave.requests.length - logins.length,
    }
  }
  const callAll = () =>
    Promise.all(
      services.flatMap((service) =>
        Array.from({ length: 10 }, async () => expect((await service.request('/api/diagnostics')).status).toBe(200)),
      ),
    )
  await callAll()
  const first = count()
  enclave.clearRequests()
  for (let second = 0; second < 5; second += 1) {
    await callAll()
    await setTimeout(1000)
  }
  return { first, later: count() }
}

const nothing: Cost = { token: 0, login: 0, others: 0 }

test('N replicas cost the authority N times what one costs: one token each, however often they are called', async () => {
  const one = await measure(1)
  const three = await measure(3)
  process.stderr.write(`What a replica asks: ${JSON.stringify(one)}; three of them: ${JSON.stringify(three)}\n`)
  expect(one.first.token).toBe(1)
  expect(three.first).toEqual({ token: 3, login: 3 * one.first.login, others: 3 * one.first.others })
  // Fifty calls in five seconds.
  expect([one.later, three.later]).toEqual([nothing, nothing])
})
