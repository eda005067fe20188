import { expect, test } from 'vitest'
import { createBlobStore } from '../../src/storage/blob-store.ts'

const given = { properties: {}, metadata: {} }
const megabyte = 1024 * 1024
const tooLarge = expect.objectContaining({ status: 413, code: 'RequestBodyTooLarge' })
const open = (now: () => number = () => 0) => {
  const store = createBlobStore(now)
  store.createContainer('c')
  return { store, blob: (name: string) => store.blob('c', name) }
}

test('blobs and uncommitted blocks together have a limit', () => {
  const { blob } = open()
  const pack = Buffer.alloc(64 * megabyte)
  for (const name of ['1', '2']) blob(name).put([pack], given)
  blob('3').putBlock('AAAA', pack)
  blob('3').putBlock('BBBB', pack)
  expect(() => blob('4').put([Buffer.alloc(1)], given)).toThrow(tooLarge)
  expect(() => blob('3').putBlock('CCCC', Buffer.alloc(1))).toThrow(tooLarge)
  blob('1').put([pack], given)
  blob('1').delete()
  blob('4').put([Buffer.alloc(1)], given)
})

test('one block many times is refused before it is copied', () => {
  const block = Buffer.alloc(64 * megabyte)
  const parts = Array.from({ length: 200_000 }, () => block)
  expect(() => open().blob('b').put(parts, given)).toThrow(tooLarge)
})

test('blocks make room for the blob that they become', () => {
  const { blob } = open()
  const part = Buffer.alloc(60 * megabyte)
  for (const id of ['AAAA', 'BBBB', 'CCCC']) blob('b').putBlock(id, part)
  expect(blob('b').put([...blob('b').uncommitted().values()], given).content).toHaveLength(180 * megabyte)
})

test('the number of blobs and containers has a limit', () => {
  const { store, blob } = open()
  const first = blob('0').put([], given)
  for (let index = 1; index < 19_998; index++) store.container('c').blobs.set(String(index), first)
  store.createContainer('d')
  expect(() => store.createContainer('e')).toThrow(tooLarge)
  expect(() => blob('one more').put([], given)).toThrow(tooLarge)
})

test('a lease expires', () => {
  let now = 0
  const { blob } = open(() => now)
  blob('b').put([], given)
  blob('b').lease('acquire', { id: 'own', seconds: 15 })
  now = 14_999
  expect(() => blob('b').delete()).toThrow(expect.objectContaining({ code: 'LeaseIdMissing' }))
  now = 15_000
  blob('b').delete()
})

test('a broken lease is in force until its period ends, and its holder does not extend it', () => {
  let now = 0
  const { store, blob } = open(() => now)
  const end = (seconds: number, period: number) => {
    blob('b').put([], given)
    blob('b').lease('acquire', { id: 'own', seconds })
    const expiresAt = blob('b').lease('break', { id: '', seconds: period })?.expiresAt
    now += 60_000
    return (expiresAt ?? 0) - (now - 60_000)
  }
  expect([end(-1, -1), end(-1, 9), end(60, 9), end(15, 60), end(15, -1)]).toEqual([0, 9000, 9000, 15_000, 15_000])
  blob('b').lease('acquire', { id: 'own', seconds: 60 })
  blob('b').lease('break', { id: '', seconds: 9 })
  const renew = () => store.blob('c', 'b', 'own').lease('renew', { id: '', seconds: -1 })
  expect(renew).toThrow(expect.objectContaining({ code: 'LeaseIdMismatchWithLeaseOperation' }))
  expect(() => blob('b').delete()).toThrow(expect.objectContaining({ code: 'LeaseIdMissing' }))
  store.blob('c', 'b', 'own').delete()
})

test.each([0, 14, 61, Number.NaN])('a lease of %d seconds is refused', (seconds) => {
  const { blob } = open()
  blob('b').put([], given)
  const acquire = () => blob('b').lease('acquire', { id: 'own', seconds })
  expect(acquire).toThrow(expect.objectContaining({ code: 'InvalidHeaderValue' }))
})
