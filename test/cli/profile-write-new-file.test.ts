import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeNewFile } from '../../src/cli/profile/write-new-file.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const temp = useTemporaryDirectory()

test('a new file holds the whole text', () => {
  const file = join(temp.path, 'new.json')
  writeNewFile(file, '{}\n')
  expect(readFileSync(file, 'utf8')).toBe('{}\n')
})

test('a file that is there stays, and is replaced only by force', () => {
  const file = temp.write('there.json', 'before')
  expect(() => writeNewFile(file, 'after')).toThrow(
    expect.objectContaining({ name: 'UsageError', message: expect.stringContaining('--force') as string }),
  )
  expect(readFileSync(file, 'utf8')).toBe('before')
  writeNewFile(file, 'after', { force: true })
  expect(readFileSync(file, 'utf8')).toBe('after')
})

test.each([
  ['a folder that is missing', 'missing/new.json', {}, /ENOENT/],
  ['a directory in its place', 'folder', { force: true }, /cannot be written/],
])('%s is a readable error', (_name, name, options, message) => {
  if (name === 'folder') mkdirSync(join(temp.path, name))
  expect(() => writeNewFile(join(temp.path, name), 'x', options)).toThrow(
    expect.objectContaining({ name: 'UsageError', message: expect.stringMatching(message) as string }),
  )
})

test('nothing else is left behind', () => {
  expect(readdirSync(temp.path).filter((name) => name.endsWith('.tmp'))).toStrictEqual([])
})
