import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readProfileFile } from '../../../src/lib/profile/profile-files.ts'
import { errorOf } from '../../support/error-of.ts'
import { profileDocument } from '../../support/profile-document.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { startCpuTime } from '../../support/cpu-time.ts'

const directory = useTemporaryDirectory()
const text = JSON.stringify(profileDocument())
const maxBytes = 1024 * 1024
/** Every invalid file here contains it, and no message may. */
const marker = 'hunter2'

/** The one message of a file that cannot be used. Fails when it takes long, echoes content or does not name the path. */
function problemOf(path: string): string {
  const cpuTime = startCpuTime()
  const { code, message } = errorOf(() => readProfileFile(path))
  expect(cpuTime()).toBeLessThan(1000)
  expect(code).toBe('PROFILE_UNREADABLE')
  expect(message).not.toContain('\n')
  expect(message).not.toContain(marker)
  const named = `Custom profile file ${JSON.stringify(path)} `
  const advice = '. Check CUSTOM_CLOUD_PROFILE_PATH or the path given'
  expect(message.startsWith(named) && message.endsWith(advice)).toBe(true)
  return message.slice(named.length, -advice.length)
}

describe('A file that is read', () => {
  test.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`)],
    ['JSON with white space around it', Buffer.from(`\r\n\t ${text}\n`)],
    ['exactly 1 MiB', Buffer.from(text.padEnd(maxBytes))],
  ])('%s is accepted', (_what, bytes) => {
    const content = new TextDecoder().decode(bytes)
    expect(readProfileFile(directory.write('good.json', bytes))).toEqual(JSON.parse(content))
  })

  test('a symbolic link to a file is followed', () => {
    symlinkSync(directory.write('target.json', text), join(directory.path, 'link.json'))
    expect(readProfileFile(join(directory.path, 'link.json'))).toEqual(profileDocument())
  })
})

describe('A file that is not', () => {
  test.each([
    ['empty', '', 'is empty; it must contain one JSON object'],
    ['a byte order mark alone', '\uFEFF', 'is empty; it must contain one JSON object'],
    ['1 MiB and a byte', text.padEnd(maxBytes + 1), 'is larger than 1 MiB'],
    ['UTF-16 LE', Buffer.from(text, 'utf16le'), 'is not UTF-8 (it looks like UTF-16); save it as UTF-8'],
    ['UTF-16 BE', Buffer.from(text, 'utf16le').swap16(), 'is not UTF-8 (it looks like UTF-16); save it as UTF-8'],
    ['Latin-1', Buffer.from('{"notes":"Größe"}', 'latin1'), 'is not UTF-8; save it as UTF-8'],
  ])('%s is one message without its content', (what, content, problem) => {
    expect(problemOf(directory.write(`${what.replaceAll(' ', '-')}.json`, content))).toBe(problem)
  })

  test.each([
    [`${marker}: not json`, ''],
    ['{ "name": "x" } // hunter2', ' (line 1 column 17)'],
    ['{\n  "name": "x", /* hunter2 */\n  "y": 1\n}', ' (line 2 column 16)'],
    ['{\n  "y": 1,\n}', ' (line 3 column 1)'],
  ])('%j: the reason and the position of the parser', (content, place) => {
    const problem = `is not valid JSON${place}; JSON has no comments and no comma before a closing bracket`
    expect(problemOf(directory.write('dialect.json', content))).toBe(problem)
  })

  test.each([
    ['{ "authorityHost": "https://a/", "authorityHost": "https://b/" }', '"authorityHost"'],
    [String.raw`{ "authorityHost": "https://a/", "\u0061uthorityHost": "https://b/" }`, '"authorityHost"'],
    [String.raw`[{ "a": [{ "\u001b[2J": 1, "\u001b[2J": 2 }] }]`, String.raw`"\u001b[2J"`],
  ])('%s: a name that stands twice', (content, name) => {
    expect(problemOf(directory.write('twice.json', content))).toBe(`contains the name ${name} twice; remove one`)
  })

  const inFolder = (name: string) => join(directory.path, name)
  const linkTo = (target: string, name: string) => {
    symlinkSync(target, inFolder(name))
    return inFolder(name)
  }
  const pipe = () => {
    execFileSync('mkfifo', [inFolder('pipe')])
    return inFolder('pipe')
  }
  const unreadable = () => {
    const path = directory.write('unreadable.json', text)
    chmodSync(path, 0)
    return path
  }
  const notRegular = 'is a pipe or device; it must be a regular file'
  test.each<readonly [what: string, path: () => string, problem: string]>([
    ['missing', () => inFolder('missing.json'), 'does not exist'],
    ['below a file', () => join(directory.write('file.json', text), 'below.json'), 'does not exist'],
    ['in quotation marks', () => '"/etc/enclave.json"', 'does not exist; remove the quotation marks'],
    ['below ~', () => '~/enclave.json', 'does not exist; ~ is not expanded, so write the whole path'],
    ['a directory', () => directory.path, 'is a directory; it must be a regular file'],
    ['a link that leads to itself', () => linkTo('itself', 'itself'), 'is a symbolic link that leads to itself'],
    ['a link that leads nowhere', () => linkTo('nowhere', 'dangling'), 'does not exist'],
    ['a pipe that nobody writes to', pipe, notRegular],
    ['a device without an end', () => '/dev/zero', notRegular],
    ['a terminal', () => '/dev/tty', notRegular],
    ...(existsSync('/proc/self/pagemap')
      ? [['a file that says it is empty and never ends', () => '/proc/self/pagemap', 'is larger than 1 MiB'] as const]
      : []),
    // Root may read everything.
    ...(process.getuid?.() === 0
      ? []
      : [['a file without permission', unreadable, 'may not be read by this process; check its permissions'] as const]),
  ])('a path (%s) is refused, and nothing is waited for', (_what, path, problem) => {
    expect(problemOf(path())).toBe(problem)
  })

  test.each([
    ['/etc/\0passwd', String.raw`"/etc/\u0000passwd" is not a path`],
    ['/no/\u202Esuch\u009B\nfile', String.raw`"/no/\u202esuch\u009b\nfile" does not exist`],
  ])('a path shows nothing that a terminal would obey: %j', (path, problem) => {
    const message = expect.stringContaining(problem) as string
    expect(errorOf(() => readProfileFile(path))).toMatchObject({ code: 'PROFILE_UNREADABLE', message })
  })
})
