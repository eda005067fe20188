import type { Node } from '@vscode/tree-sitter-wasm'
import { expect, test } from 'vitest'
import { exportFormats } from '../../../src/tools/export/export-formats.ts'
import type { CloudProfile } from '../../../src/lib/clouds/cloud-profile.ts'
import { arbitraryProfile } from '../../support/arbitrary-profile.ts'
import { grammarParser } from '../../support/grammar-parser.ts'
import { fc, few } from '../../support/properties.ts'
import { enclave } from '../../support/sample-profiles.ts'

const render = (format: string, profile: CloudProfile) => exportFormats[format]?.render(profile) ?? ''
const formats = fc.constantFrom(...Object.keys(exportFormats))

test.each(Object.values(exportFormats))('begins with what it is: $name', ({ name, comment, render: write }) => {
  const header = `${comment} The export ${name} of a cloud profile, made by cloud-profile-service. Holds no secret.\n`
  expect(write(enclave).startsWith(comment === undefined ? '{\n  "' : header)).toBe(true)
})

test('every export is plain ASCII with one line break at its end, and a profile is letters and digits in its comments', () => {
  fc.assert(
    fc.property(formats, arbitraryProfile, (format, profile) => {
      const text = render(format, profile)
      expect(text).toMatch(/^[\x20-\x7e\n\t]+[\x20-\x7e]\n$/)
      expect(text).not.toMatch(/[ \t]$|[:=] undefined|["']undefined/m)
      expect(text.match(/^(?:#|\/\/) Profile: (.*)$/m)?.[1] ?? '').toMatch(/^[A-Za-z0-9 ._/()+?-]*$/)
    }),
  )
})

test('no export contains a control character even when nothing has validated the profile', () => {
  const anything = fc.string({ unit: 'binary', maxLength: 40 })
  fc.assert(
    fc.property(formats, anything, anything, anything, (format, name, tenantId, suffix) => {
      const serviceDnsSuffixes = { ...enclave.serviceDnsSuffixes, storage: suffix, keyVault: suffix }
      const profile = { ...enclave, name, displayName: name, tenantId, serviceDnsSuffixes }
      expect(render(format, profile)).toMatch(/^[\x20-\x7e\n\t]+\n$/)
    }),
  )
})

test('the grammar of PowerShell finds the same program in every profile', async () => {
  const parser = await grammarParser('powershell')
  /** How many pieces a literal is made of depends on its text. */
  const shape = (node: Node): string =>
    /string|additive|parenthesized/.test(node.type)
      ? '.'
      : `${node.type}(${node.children.map((child) => (child === null || child.type === 'comment' ? '' : shape(child))).join('')})`
  const parse = (profile: CloudProfile) => {
    const fixed = {
      ...profile,
      authorityHost: 'https://login.enclave.test/',
      tenantId: 'contoso.test',
      portalUrl: 'https://portal.enclave.test/',
      // Their number decides how many services derive from them.
      serviceDnsSuffixes: { ...profile.serviceDnsSuffixes, storage: `.blob${profile.serviceDnsSuffixes.storage}` },
      services: {},
      environment: 'custom',
    } as const
    const tree = parser.parse(render('powershell', fixed))
    const found = { hasError: tree?.rootNode.hasError, shape: tree && shape(tree.rootNode) }
    // It lies in the memory of WebAssembly, which no collector clears.
    tree?.delete()
    return found
  }
  const expected = parse(enclave)
  expect(expected.hasError).toBe(false)
  fc.assert(
    fc.property(arbitraryProfile, (profile) => {
      expect(parse(profile)).toEqual(expected)
    }),
    few(60),
  )
})
