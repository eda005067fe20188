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

test.each(['', '\n', 'two keys', 'two\nkeys', 'a-key\0b', Buffer.from([0x41, 0xc3, 0x28, 0xff])])(
  '%j does not replace the key',
  (content) => {
    expect(keyIn(content)).toThrow('must hold one key as text and nothing else')
  },
)

test('a key is read without the line break that editors add, and without a byte order mark', () => {
  expect(keyIn('\uFEFFkey\r\n')()).toBe('key')
})
