import { expect, test } from 'vitest'
import { createBlobStore } from '../../../src/enclave/storage/blob-store.ts'

const given = { properties: {}, metadata: {} }
const megabyte = 1024 * 1024

test('blobs and uncommitted blocks together have a limit', () => {
  const store = createBlobStore(() => 0)
  store.createContainer('c')
  const pack = Buffer.alloc(64 * megabyte)
  for (const name of ['1', '2']) store.put('c', name, pack, given)
  store.putBlock('c', '3', 'AAAA', pack)
  store.putBlock('c', '3', 'BBBB', pack)
  const tooLarge = expect.objectContaining({ status: 413, code: 'RequestBodyTooLarge' })
  expect(() => store.put('c', '4', Buffer.alloc(1), given)).toThrow(tooLarge)
  expect(() => store.putBlock('c', '3', 'CCCC', Buffer.alloc(1))).toThrow(tooLarge)
  store.put('c', '1', pack, given)
  store.delete('c', '1')
  store.put('c', '4', Buffer.alloc(1), given)
})

test('a list that names one block many times is refused before it is copied', () => {
  const store = createBlobStore(() => 0)
  store.createContainer('c')
  store.putBlock('c', 'b', 'AAAA', Buffer.alloc(64 * megabyte))
  const ids = Array.from({ length: 200_000 }, () => 'AAAA')
  expect(() => store.commit('c', 'b', ids, given)).toThrow(expect.objectContaining({ code: 'RequestBodyTooLarge' }))
})

test('blocks make room for the blob that they become', () => {
  const store = createBlobStore(() => 0)
  store.createContainer('c')
  const ids = ['AAAA', 'BBBB', 'CCCC']
  const part = Buffer.alloc(60 * megabyte)
  for (const id of ids) store.putBlock('c', 'b', id, part)
  expect(store.commit('c', 'b', ids, given).content).toHaveLength(180 * megabyte)
})

test('the number of blobs has a limit', () => {
  const store = createBlobStore(() => 0)
  store.createContainer('c')
  for (let index = 0; index < 20_000; index++)
    store.container('c').blobs.set(String(index), store.find('c', '0') ?? store.put('c', '0', Buffer.alloc(0), given))
  expect(() => store.put('c', 'one more', Buffer.alloc(0), given)).toThrow(
    expect.objectContaining({ code: 'RequestBodyTooLarge' }),
  )
})

test('the number of containers has a limit', () => {
  const store = createBlobStore(() => 0)
  store.createContainer('c')
  const blob = store.put('c', '0', Buffer.alloc(0), given)
  for (let index = 0; index < 19_997; index++) store.container('c').blobs.set(String(index), blob)
  store.createContainer('d')
  store.createContainer('e')
  expect(() => store.createContainer('f')).toThrow(expect.objectContaining({ code: 'RequestBodyTooLarge' }))
})

test('a lease expires', () => {
  let now = 0
  const store = createBlobStore(() => now)
  store.createContainer('c')
  store.put('c', 'b', Buffer.alloc(0), given)
  store.acquireLease('c', 'b', 15)
  now = 14_999
  expect(() => store.delete('c', 'b')).toThrow(expect.objectContaining({ code: 'LeaseIdMissing' }))
  now = 15_000
  store.delete('c', 'b')
})

test.each([0, 14, 61, Number.NaN])('a lease of %d seconds is refused', (seconds) => {
  const store = createBlobStore(() => 0)
  store.createContainer('c')
  store.put('c', 'b', Buffer.alloc(0), given)
  expect(() => store.acquireLease('c', 'b', seconds)).toThrow(expect.objectContaining({ code: 'InvalidHeaderValue' }))
})
