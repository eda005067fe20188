import type { Node } from '@vscode/tree-sitter-wasm'
import { expect, test } from 'vitest'
import { exportFormats } from '../../../src/tools/export/export-formats.ts'
import type { CloudProfile } from '../../../src/lib/clouds/cloud-profile.ts'
import { grammarParser } from '../../support/grammar-parser.ts'
import { fc, few } from '../../support/properties.ts'
import { enclave, orders, stack } from '../../support/sample-profiles.ts'

const render = (format: string, profile: CloudProfile) => exportFormats[format]?.render(profile) ?? ''
const formats = fc.constantFrom(...Object.keys(exportFormats))

const text = fc.oneof(fc.constantFrom(...orders), fc.string({ unit: 'binary', maxLength: 40 }))
const address = text.map((path) => new URL(`https://login.enclave.test:8443/${path}/`).href)
/** Profiles with the texts and addresses that are worst for other tools, which nothing has validated. */
const profiles = fc
  .record({ name: text, displayName: text, notes: text, portalUrl: address, resourceManagerEndpoint: address })
  .chain((fields) => fc.constantFrom(enclave, stack).map((base): CloudProfile => ({ ...base, ...fields })))
const suffixed = fc.tuple(profiles, text).map(([profile, suffix]) => ({
  ...profile,
  tenantId: suffix,
  serviceDnsSuffixes: { ...enclave.serviceDnsSuffixes, storage: suffix, keyVault: suffix },
}))

test.each(Object.values(exportFormats))('begins with what it is: $name', ({ name, comment, render: write }) => {
  const header = `${comment} The export ${name} of a cloud profile, made by cloud-profile-service. Holds no secret.\n`
  expect(write(enclave).startsWith(comment === undefined ? '{\n  "' : header)).toBe(true)
})

test('every export is plain ASCII with one line break at its end, and a profile is letters and digits in its comments', () => {
  fc.assert(
    fc.property(formats, fc.oneof(profiles, suffixed), (format, profile) => {
      const written = render(format, profile)
      expect(written).toMatch(/^[\x20-\x7e\n\t]+[\x20-\x7e]\n$/)
      expect(written).not.toMatch(/[:=] undefined|["']undefined/)
      expect(written.match(/^(?:#|\/\/) Profile: (.*)$/m)?.[1] ?? '').toMatch(/^[A-Za-z0-9 ._/()+?-]*$/)
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
    const fixed = { ...profile, authorityHost: 'https://login.enclave.test/', tenantId: 'contoso.test' }
    const tree = parser.parse(render('powershell', fixed))
    const found = { hasError: tree?.rootNode.hasError, shape: tree && shape(tree.rootNode) }
    // It lies in the memory of WebAssembly, which no collector clears.
    tree?.delete()
    return found
  }
  const expected = parse(enclave)
  expect(expected.hasError).toBe(false)
  fc.assert(
    fc.property(profiles, (profile) => {
      expect(parse(profile)).toEqual(expected)
    }),
    few(60),
  )
})
