import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { VERSION } from '../../src/lib/settings/version.ts'
import { runInNamespace, withoutNamespaces } from '../support/namespace.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import type { GapReport } from './gap/inside.ts'

const temp = useTemporaryDirectory()
const { clones, otherNode } = inject('releases')
const inside = new URL('gap/inside.ts', import.meta.url)

/** What an application writes first. */
const example = `import { resolveCloud } from 'cloud-profile-service'

const { credential, service } = await resolveCloud()
const { url, scope } = service('storage', 'myaccount')
const { token } = await credential.getToken(scope)
console.log(url, token.split('.').length)
`

test.skipIf(withoutNamespaces !== '').each([
  ['this Node', process.execPath],
  ['the other Node', otherNode],
])(
  `where there is nothing but the release and %s, each command works, and so does the library${withoutNamespaces}`,
  async (name, node) => {
    const carried = join(temp.path, name, 'carried')
    cpSync(join(clones[0], 'dist/release'), carried, { recursive: true })
    const found = await runInNamespace(inside, [carried, join(temp.path, name, 'work'), example], { node })
    const { interfaces, commands, service } = found as GapReport
    expect(interfaces).toEqual(['lo'])
    expect(Object.entries(commands).filter(([, { code }]) => code !== 0)).toEqual([])
    expect(commands).toMatchObject({
      version: { output: `${VERSION}\n` },
      npx: { output: expect.stringContaining(VERSION) as string },
      'smoke-test --check-token': { output: /^(ok|warn) / },
      drift: { output: / matches / },
      example: { output: /^https:\/\/localhost:\d+\/ 3\n$/ },
    })
    expect(JSON.parse(service.health)).toMatchObject({ status: /pass|warn/ })
    expect(JSON.parse(service.diagnostics)).toMatchObject({ version: VERSION, token: { status: 'acquired' } })
  },
)
