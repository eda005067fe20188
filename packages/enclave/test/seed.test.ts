import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { type EnclaveOptions, startEnclave } from '../src/enclave.ts'
import { useEnclave } from '../../../test/support/use-enclave.ts'
import { useTemporaryDirectory } from '../../../test/support/temporary-directory.ts'

const temp = useTemporaryDirectory()
const enclave = useEnclave({
  containers: ['uploads'],
  keys: ['Signing'],
  secrets: { password: 'given' },
  get seed() {
    temp.write('good/containers/site/a folder/page.json', '{}')
    temp.write('good/containers/site/logo.bin', 'x')
    mkdirSync(join(temp.path, 'good/containers/empty'))
    temp.write('good/secrets.json', '{ "password": "of the folder", "other": "of the folder" }')
    return join(temp.path, 'good')
  },
})

test('storage and key vault have the seed, and what is named wins over the folder', async () => {
  const { storageEndpoint, vaultEndpoint, audiences } = enclave.cloud
  const { body } = await enclave.call(`${storageEndpoint}?comp=list`, audiences.storage)
  const names = [...body.matchAll(/<Name>([^<]*)/g)].map(([, name]) => name)
  expect(names).toEqual(['empty', 'example', 'site', 'uploads'])
  const page = await enclave.call(`${storageEndpoint}site/a%20folder/page.json`, audiences.storage)
  expect([page.body, page.headers['content-type']]).toEqual(['{}', 'application/json'])
  const vault = async (path: string) =>
    (await enclave.call(`${vaultEndpoint}${path}?api-version=7.4`, audiences.keyVault)).json()
  expect(await vault('secrets/password')).toMatchObject({ value: 'given' })
  expect(await vault('secrets/other')).toMatchObject({ value: 'of the folder' })
  expect(await vault('keys/signing')).toMatchObject({ key: { kty: 'RSA', kid: /\/keys\/signing\// } })
})

test.each<[what: string, seed: () => EnclaveOptions, message: RegExp]>([
  ['a container in upper case', () => ({ containers: ['Uploads'] }), /container "Uploads" must have a name of 3 to 63/],
  ['a secret with an underscore', () => ({ secrets: { a_b: 'planted' } }), /secret "a_b" must have a name of 1 to 127/],
  ['a key with a path', () => ({ keys: ['../x'] }), /key "..\/x"/],
  ['a queue without azurite', () => ({ queues: ['work'] }), /A queue needs azurite/],
  ['a folder that does not exist', () => ({ seed: join(temp.path, 'none') }), /none cannot be read \(ENOENT\)/],
  ['a file as a folder', () => ({ seed: temp.write('file', '') }), /file cannot be read \(ENOTDIR\)/],
  ['an unknown entry', () => folder('typo/container/x', ''), /may have only containers\/, .*: remove container$/],
  ['a file as a container', () => folder('flat/containers/x', ''), /must be a folder: the blobs of a container/],
  ['a list of secrets', () => folder('list/secrets.json', '["planted"]'), /secrets.json must be a JSON object/],
  ['a link to secrets', () => linked('secret/secrets.json', '/etc/passwd'), /secrets.json must be a file or a folder/],
  ['a link to containers', () => linked('way/containers', '/etc'), /containers must be a folder/],
  ['a pipe', () => piped('pipe/settings.json'), /settings.json must be a file or a folder/],
  ['a file of 2 GiB', () => sparse('large/containers/site/disk'), /disk is too large: .* at most 268435456 bytes/],
  ['a name that clears the screen', () => folder('clear/\u001b[2J\u202e', ''), /remove \\u\{1b\}\[2J\\u\{202e\}$/],
  ['a link', () => linked('link/containers/site/passwd', '/etc/passwd'), /passwd must be a file or a folder/],
  ['a link to a folder', () => linked('loop/containers/site/loop', '..'), /loop must be a file or a folder/],
])('%s is refused by name', async (_, seed, message) => {
  const refused: unknown = await startEnclave(seed()).catch((error: unknown) => error)
  expect(refused).toMatchObject({ name: 'EnclaveError', message })
  expect(String(refused)).not.toContain('planted')
})

function folder(path: string, text: string): EnclaveOptions {
  temp.write(path, text)
  return { seed: join(temp.path, path.split('/')[0] ?? '') }
}

function linked(path: string, target: string): EnclaveOptions {
  const options = folder(path, '')
  rmSync(join(temp.path, path))
  symlinkSync(target, join(temp.path, path))
  return options
}

function piped(path: string): EnclaveOptions {
  const options = folder(`${dirname(path)}/containers/site/x`, '')
  execFileSync('mkfifo', [join(temp.path, path)])
  return options
}

function sparse(path: string): EnclaveOptions {
  const options = folder(path, '')
  truncateSync(join(temp.path, path), 2 ** 31)
  return options
}
