import { once } from 'node:events'
import { Agent } from 'node:https'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { type FaultKind, faultTable } from '../../src/enclave.ts'
import { openRequest, sendRequest } from '../../../../test/support/send-request.ts'
import { documentOf, tokenEndpoint, useEnclave, useEnclaves } from '../../../../test/support/use-enclave.ts'

const unknownIssuer = { code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY' }

// integration/faults.test.ts shows that each fault is what it is called: the service reports it by its code.

const enclave = useEnclave()

describe('a fault of the connection', () => {
  const open = useEnclaves()

  test('is at its role alone, and is gone when turned off', async () => {
    const { cloud, send } = enclave
    await cloud.setFault({ kind: 'untrusted-ca' })
    await expect(send(documentOf(cloud))).rejects.toMatchObject(unknownIssuer)
    expect((await send(`${cloud.metadataEndpoint}?api-version=2015-01-01`)).status).toBe(200)
    await cloud.setFault(undefined, 'login')
    expect((await send(documentOf(cloud))).status).toBe(200)
  })

  test('reaches a client that keeps its connections open', async () => {
    const { cloud } = enclave
    const agent = new Agent({ keepAlive: true, ca: cloud.ca.certificatePem })
    const before = await openRequest(documentOf(cloud), { agent })
    await once(before.resume(), 'end')
    await cloud.setFault({ kind: 'untrusted-ca' })
    await expect(openRequest(documentOf(cloud), { agent })).rejects.toMatchObject(unknownIssuer)
    agent.destroy()
  })

  test('can be turned on and off without waiting in between', async () => {
    const { cloud, send } = enclave
    const [on, off] = [{ kind: 'refused' } as const, undefined]
    await Promise.all([on, off, on].map((fault) => cloud.setFault(fault)))
    await expect(send(documentOf(cloud))).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await Promise.all([off, on, off].map((fault) => cloud.setFault(fault)))
    expect((await send(documentOf(cloud))).status).toBe(200)
  })

  test('ends when its port is free again, if another server has got it', async () => {
    const { cloud, send } = enclave
    await cloud.setFault({ kind: 'refused' })
    const other = createServer().listen(Number(new URL(cloud.authorityHost).port), '127.0.0.1')
    await once(other, 'listening')
    const ended = cloud.setFault(undefined)
    await sleep(150)
    other.close()
    await ended
    expect((await send(documentOf(cloud))).status).toBe(200)
  })

  test('what hangs ends when the enclave closes', async () => {
    const { enclave: cloud } = await open()
    await cloud.setFault({ kind: 'silent' }, 'login/token')
    await cloud.setFault({ kind: 'slow-drip' }, 'resource-manager')
    const trusted = { ca: cloud.ca.certificatePem }
    expect((await sendRequest(documentOf(cloud), trusted)).status).toBe(200)
    const silent = sendRequest(tokenEndpoint(cloud), { ...trusted, form: { grant_type: 'client_credentials' } })
    const dripping = sendRequest(`${cloud.metadataEndpoint}?api-version=2015-01-01`, trusted)
    const ends = Promise.allSettled([silent, dripping])
    await cloud.waitForRequest(({ role }) => role === 'resource-manager')
    expect((await cloud.waitForRequest(({ method }) => method === 'POST')).status).toBeUndefined()
    await cloud.close()
    expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})

describe('a fault of the content', () => {
  test('a refusal keeps its content', async () => {
    await enclave.cloud.setFault({ kind: 'replaced-fields', fields: { scope: 1 } })
    const refused = await enclave.postToken({ grant_type: 'client_credentials', scope: 'wrong' })
    expect(refused.json()).not.toHaveProperty('scope')
  })

  test('clock-skew shifts the Date header and the token of the whole enclave, which still takes it', async () => {
    await enclave.cloud.setFault({ kind: 'clock-skew', seconds: -7200 })
    const token = await enclave.token()
    const answer = await enclave.call(`${enclave.cloud.resourceManagerEndpoint}subscriptions?api-version=2022-12-01`)
    for (const time of [Date.parse(answer.headers.date ?? ''), (decodeJwt(token).nbf ?? 0) * 1000])
      expect(Math.abs(time - Date.now() + 7_200_000)).toBeLessThan(300_000)
    expect(answer.status).toBe(200)
  })
})

describe('the table of faults', () => {
  test('every fault can be set on each of its targets and on no other', async () => {
    for (const [kind, { targets }] of Object.entries(faultTable)) {
      const fault = { kind: kind as FaultKind }
      for (const target of ['login', 'login/device-code', 'managed-identity', 'vault'] as const) {
        const error: unknown = await enclave.cloud.setFault(fault, target).catch((thrown: unknown) => thrown)
        expect([kind, target, error instanceof RangeError]).toEqual([kind, target, !targets.includes(target)])
      }
    }
  })

  test('a fault of a step overrides the fault of its role', async () => {
    const { cloud, send } = enclave
    await cloud.setFault({ kind: 'status-500' }, 'login')
    await cloud.setFault({ kind: 'not-found' }, 'login/openid-configuration')
    expect((await send(documentOf(cloud))).status).toBe(404)
    expect((await send(tokenEndpoint(cloud), { form: {} })).status).toBe(500)
  })
})
