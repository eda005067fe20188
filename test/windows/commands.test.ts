import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resolveCloudProfile } from '../../src/lib/index.ts'
import { useWindows, windowsPath } from './windows.ts'

const { temp, run } = useWindows()
const profile = JSON.stringify(resolveCloudProfile({ name: 'platform-us-government', env: {} }), undefined, 2)

const forms: readonly (readonly [string, string | Uint8Array])[] = [
  ['plain.json', profile],
  ['lines of Windows.json', profile.replaceAll('\n', '\r\n')],
  ['byte order mark.json', `\uFEFF${profile.replaceAll('\n', '\r\n')}`],
  ['ümläut.json', profile],
]

test.each(forms)('check takes %s by drive letter, by relative path and with slashes', async (name, content) => {
  const file = temp.write(`my profiles/${name}`, content)
  const paths = [windowsPath(file), `my profiles\\${name}`, windowsPath(file).replaceAll('\\', '/')]
  const { code, stdout, stderr } = await run(['check', ...paths])
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('rror')])
  expect(stdout).toContain('3 of 3 passed')
})

test('discover writes a file by drive letter into a folder with spaces, which check takes', async () => {
  mkdirSync(join(temp.path, 'new folder'))
  const output = windowsPath(join(temp.path, 'new folder', 'the cloud.json'))
  const { stderr } = await run(['discover', '--output', output], {
    env: { PLATFORM_CLOUD: 'platform-us-gov-secret', PLATFORM_METADATA_ENDPOINT: '' },
  })
  expect(stderr).toContain(`CUSTOM_CLOUD_PROFILE_PATH=${output}`)
  const written = JSON.parse(readFileSync(join(temp.path, 'new folder/the cloud.json'), 'utf8')) as { $schema: string }
  expect(written.$schema).not.toContain('\\')
  expect((await run(['check', output])).code).toBe(0)
})
