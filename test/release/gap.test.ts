import { execFile } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, inject, test } from 'vitest'
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

describe.skipIf(refusal !== undefined).each([
  ['this Node', process.execPath],
  ['the other Node', otherNode],
])(
  `Where there is nothing but the release and %s${refusal === undefined ? '' : ` [skipped: ${refusal}]`}`,
  (name, node) => {
    let report: GapReport

    beforeAll(async () => {
      const carried = join(temp.path, name, 'carried')
      cpSync(join(clones[0], 'dist/release'), carried, { recursive: true })
      const command = [node, inside, carried, join(temp.path, name, 'work'), example]
      const args = namespaceArguments(temp.path, command)
      const { stdout } = await promisify(execFile)('unshare', args, { env: cleanEnvironment(), maxBuffer: 2 ** 26 })
      report = JSON.parse(stdout.split('\n').at(-1) ?? '') as GapReport
    })

    test('there is no network but loopback', () => {
      expect(report.interfaces).toEqual(['lo'])
    })

    test('every step and every command ends well', () => {
      const failed = Object.entries(report.commands).filter(([, { code }]) => code !== 0)
      expect(failed).toEqual([])
      expect(Object.keys(report.commands)).toEqual(
        expect.arrayContaining(['verify', 'discover', 'drift', 'npm install']),
      )
    })

    test('it says its version on the command line, in health and in the diagnostics', () => {
      expect(report.commands['version']?.output).toBe(`${VERSION}\n`)
      expect(report.commands['npx']?.output).toContain(VERSION)
      expect(JSON.parse(report.service.health)).toMatchObject({ status: /pass|warn/ })
      expect(JSON.parse(report.service.diagnostics)).toMatchObject({ version: VERSION })
    })

    test('it serves, and gets a token from the packaged enclave', () => {
      expect(JSON.parse(report.service.diagnostics)).toMatchObject({ token: { status: 'acquired' } })
      expect(report.commands['smoke-test --check-token']?.output).toMatch(/^(ok|warn) /)
      expect(report.commands['drift']?.output).toMatch(/ matches /)
    })

    test('the library installs without a registry, and gets a token', () => {
      expect(report.commands['example']?.output).toMatch(/^https:\/\/localhost:\d+\/ 3\n$/)
    })
  },
)
