import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { writeNewFile } from '../../src/cli/write-new-file.ts'
import { errorOf } from '../support/error-of.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const temp = useTemporaryDirectory()

afterEach(() => {
  vi.restoreAllMocks()
  const left = readdirSync(temp.path).filter((name) => name.endsWith('.tmp'))
  if (left.length > 0) throw new Error(`Left behind: ${left.join(', ')}`)
})

test('a new file has the whole text, even with a name of maximal length', () => {
  for (const name of ['new.json', 'x'.repeat(245), 'y'.repeat(255)]) {
    const file = join(temp.path, name)
    writeNewFile(file, '{}\n')
    expect(readFileSync(file, 'utf8')).toBe('{}\n')
    writeNewFile(file, '[]\n', { force: true })
    expect(readFileSync(file, 'utf8')).toBe('[]\n')
  }
})

test('a file that is there stays, and is replaced only by force', () => {
  const file = temp.write('there.json', 'before')
  expect(errorOf(() => writeNewFile(file, 'after'))).toMatchObject({ name: 'UsageError', message: /--force/ })
  expect(readFileSync(file, 'utf8')).toBe('before')
  writeNewFile(file, 'after', { force: true })
  expect(readFileSync(file, 'utf8')).toBe('after')
})

test.each([
  ['in place of the file', 'link.json'],
  ['in place of a folder below the working directory', 'linked/new.json'],
])('a link %s is named and not followed, with force either', (_where, name) => {
  vi.spyOn(process, 'cwd').mockReturnValue(temp.path)
  const outside = temp.write('outside/new.json', 'before')
  symlinkSync(outside, join(temp.path, 'link.json'))
  symlinkSync(join(temp.path, 'outside'), join(temp.path, 'linked'))
  for (const force of [false, true]) {
    const write = () => writeNewFile(join(temp.path, name), 'after', { force })
    expect(errorOf(write)).toMatchObject({ name: 'UsageError', message: /is a link/ })
  }
  expect(readFileSync(outside, 'utf8')).toBe('before')
  for (const link of ['link.json', 'linked']) rmSync(join(temp.path, link))
})

const folder = () => mkdirSync(join(temp.path, 'folder'))
const pipe = () => execFileSync('mkfifo', [join(temp.path, 'pipe')])
const nothing = () => symlinkSync('/missing/file', join(temp.path, 'dangling'))

test.each<[string, string, object, () => unknown, RegExp]>([
  ['a folder that is missing', 'missing/new.json', {}, () => {}, /no such file or directory \(ENOENT\)/],
  ['a blank path', ' ', {}, () => {}, /blank/],
  ['a directory in its place', 'folder', { force: true }, folder, /cannot be written: it is not a file/],
  ['a pipe in its place', 'pipe', { force: true }, pipe, /cannot be written: it is not a file/],
  ['a link to nothing', 'dangling', { force: true }, nothing, /cannot be written/],
])('%s is a readable error, and nothing is replaced', (_name, name, options, prepare, message) => {
  prepare()
  const path = name.trim() === '' ? name : join(temp.path, name)
  expect(errorOf(() => writeNewFile(path, 'x', options))).toMatchObject({ name: 'UsageError', message })
})
