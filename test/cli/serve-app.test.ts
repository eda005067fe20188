import { expect, test } from 'vitest'
import { readServerOptions } from '../../src/cli/serve-app.ts'
import { readSettings } from '../../src/lib/settings/settings.ts'
import { errorOf } from '../support/error-of.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const directory = useTemporaryDirectory()
const reference = '@Microsoft.KeyVault(SecretUri=https://v.example/secrets/k)'

/** The key in a file that is read again when it changes. */
function keyIn(content: string | Buffer): () => string {
  const path = directory.write('host-key', 'the first key')
  const { key } = readServerOptions(readSettings({ PLATFORM_HOST_KEY_PATH: path }))
  directory.write('host-key', content)
  if (typeof key !== 'object') throw new Error('The key must be read from the file')
  return key.read
}

test('a reference that was not replaced is not a new key', () => {
  expect(errorOf(keyIn(reference)).code).toBe('REFERENCE_UNRESOLVED')
})

const invalid = Buffer.from([0x41, 0xc3, 0x28, 0xff])
test.each(['', '\n', 'two keys', 'two\nkeys', 'a-key\0b', invalid])('%j does not replace the key', (content) => {
  expect(keyIn(content)).toThrow('must contain one key as text and nothing else')
})

test('a key is read without the line break that editors add, and without a byte order mark', () => {
  expect(keyIn('\uFEFFkey\r\n')()).toBe('key')
})

test.each([
  ['both sources', { PLATFORM_HOST_KEY: 'k', PLATFORM_HOST_KEY_PATH: '/x' }, 'are both set'],
  ['a file that is not there', { PLATFORM_HOST_KEY_PATH: '/nowhere/key' }, 'PLATFORM_HOST_KEY_PATH names /nowhere/key'],
  ['a folder', { PLATFORM_HOST_KEY_PATH: '/' }, 'cannot be read'],
  ['an endless file', { PLATFORM_HOST_KEY_PATH: '/dev/zero' }, 'not a regular file'],
  ['half of a pair', { PLATFORM_TLS_KEY_PATH: '/x' }, 'PLATFORM_TLS_KEY_PATH is set without'],
])('%s is an error that names the variable', (_, env, message) => {
  const read = () => {
    const { key } = readServerOptions(readSettings(env))
    return typeof key === 'object' ? key.read() : key
  }
  expect(read).toThrow(message)
})

test('a key in UTF-16, as PowerShell 5 writes what is sent to a file, is named', () => {
  expect(keyIn(Buffer.from('\uFEFFkey-of-the-host\r\n', 'utf16le'))).toThrow('is not UTF-8 (it looks like UTF-16)')
})
