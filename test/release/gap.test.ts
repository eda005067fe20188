import { execFile } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import { VERSION } from '../../src/lib/settings/version.ts'
import { cleanEnvironment } from '../support/environment.ts'
import { namespaceArguments, refusalOfNamespaces } from '../support/namespace.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import type { GapReport } from './gap/inside.ts'

const temp = useTemporaryDirectory()
const { clones, otherNode } = inject('releases')
const inside = fileURLToPath(new URL('gap/inside.ts', import.meta.url))

const refusal = refusalOfNamespaces()

/** What an application writes first. */
const example = `import { resolveCloud } from 'cloud-profile-service'

const { credential, service } = await resolveCloud()
const { url, scope } = service('storage', 'myaccount')
const { token } = await credential.getToken(scope)
console.log(url, token.split('.').length)
`

const skipped = refusal === undefined ? '' : ` [skipped: ${refusal}]`

test.skipIf(refusal !== undefined).each([
  ['this Node', process.execPath],
  ['the other Node', otherNode],
])(
  `where there is nothing but the release and %s, each command works, and so does the library${skipped}`,
  async (name, node) => {
    const carried = join(temp.path, name, 'carried')
    cpSync(join(clones[0], 'dist/release'), carried, { recursive: true })
    const command = [node, inside, carried, join(temp.path, name, 'work'), example]
    const args = namespaceArguments(temp.path, command)
    const { stdout } = await promisify(execFile)('unshare', args, { env: cleanEnvironment(), maxBuffer: 2 ** 26 })
    const { interfaces, commands, service } = JSON.parse(stdout.split('\n').at(-1) ?? '') as GapReport
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
